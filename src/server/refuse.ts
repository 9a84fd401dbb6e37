import {
  type EnsoError,
  type EnsoErrorCode,
  type EnsoRefusal,
  type EnsoRefusalCode,
  ENSO_REFUSAL_CODES,
  jsonLine,
  refusal,
} from '../core/index.js'

/** A value as a JSON response. */
export function jsonResponse(status: number, value: unknown): Response {
  return new Response(jsonLine(value), { status, headers: { 'content-type': 'application/json; charset=utf-8' } })
}

/** A refusal as a response: its code's one status, and itself or `body` in its place. */
export function refusalResponse(refused: EnsoRefusal, body: unknown = refused): Response {
  return jsonResponse(ENSO_REFUSAL_CODES[refused.code], body)
}

/** Short for a refusal that is answered at once. */
export function refuse(code: EnsoRefusalCode, reason: string): Response {
  return refusalResponse(refusal(code, reason))
}

/** How a fault of the environment is told to whoever asked; what isn't named was refused for its own reason. */
const REFUSED_AS: Partial<Record<EnsoErrorCode, EnsoRefusalCode>> = {
  'thread-locked': 'busy',
  'lock-lost': 'busy',
  'thread-unknown': 'not-found',
}

/** A fault of the environment as a refusal. */
export function refusalOfFault({ code, message }: EnsoError): EnsoRefusal {
  return refusal(REFUSED_AS[code] ?? 'refused', message)
}
