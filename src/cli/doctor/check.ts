import { type Static, Type } from '@sinclair/typebox'
import { closed } from '../../core/schema.js'

/** One thing that was looked at. */
export const EnsoDoctorCheck = closed({
  name: Type.String(),
  /** `fault`: something that is wanted does not work. `warning`: it works, and less well than it could. */
  status: Type.Union([Type.Literal('ok'), Type.Literal('warning'), Type.Literal('fault')]),
  /** What was found, in words. Never a secret. */
  found: Type.String(),
  /** What to do about it. */
  todo: Type.Optional(Type.String()),
})
export type EnsoDoctorCheck = Static<typeof EnsoDoctorCheck>

/** What `enso doctor --json` says. `ok` is false where there is a fault. */
export const EnsoDoctorReport = closed({ ok: Type.Boolean(), checks: Type.Array(EnsoDoctorCheck) })
export type EnsoDoctorReport = Static<typeof EnsoDoctorReport>

export function ok(name: string, found: string): EnsoDoctorCheck {
  return { name, status: 'ok', found }
}

export function warning(name: string, found: string, todo: string): EnsoDoctorCheck {
  return { name, status: 'warning', found, todo }
}

export function fault(name: string, found: string, todo: string): EnsoDoctorCheck {
  return { name, status: 'fault', found, todo }
}
