import { type Static, Type } from '@sinclair/typebox'
import { closed } from './schema.js'

/** Folders under which a page may register projects: absolute, or `~/` for the home of whoever runs the server. */
export const EnsoProjectsConfig = closed({ roots: Type.Array(Type.String({ minLength: 1 })) })
export type EnsoProjectsConfig = Static<typeof EnsoProjectsConfig>

/** Request header that names a new thread's project; ignored once the thread has a session on disk. */
export const ENSO_PROJECT_HEADER = 'x-enso-project'

const PROJECT_ID = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/

/** True for a project id: lower-case letters, digits and inner hyphens, at most 64 characters; safe as a folder name. */
export function isEnsoProjectId(value: unknown): value is string {
  return typeof value === 'string' && PROJECT_ID.test(value)
}

/** One project, as the list of projects shows it. */
export const EnsoProject = closed({
  projectId: Type.String(),
  /** Canonical absolute path. */
  path: Type.String(),
  title: Type.String(),
  /** The folder the server was started in. */
  launch: Type.Boolean(),
  status: Type.Union([Type.Literal('ok'), Type.Literal('missing-dir')]),
})
export type EnsoProject = Static<typeof EnsoProject>

/** Body of `POST /api/projects`: a folder under a declared root. */
export const EnsoProjectRegistration = closed({
  path: Type.String({ minLength: 1 }),
  title: Type.Optional(Type.String({ minLength: 1 })),
})
export type EnsoProjectRegistration = Static<typeof EnsoProjectRegistration>

/** The registered projects as the server keeps them. The id is not stored: it is made from the path. */
export const EnsoProjectsState = closed({
  projects: Type.Array(closed({ path: Type.String(), title: Type.Optional(Type.String()) })),
})
export type EnsoProjectsState = Static<typeof EnsoProjectsState>

/** One folder inside a declared root that may be browsed into; `projectId` where it is a project already. */
export const EnsoDirectoryEntry = closed({
  name: Type.String(),
  path: Type.String(),
  projectId: Type.Optional(Type.String()),
})
export type EnsoDirectoryEntry = Static<typeof EnsoDirectoryEntry>

/** The declared roots (`path` and `parent` are null), or one folder inside them and the folders under it. */
export const EnsoDirectoryListing = closed({
  path: Type.Union([Type.String(), Type.Null()]),
  /** Null at a root: browsing never leaves it. */
  parent: Type.Union([Type.String(), Type.Null()]),
  registrable: Type.Boolean(),
  directories: Type.Array(EnsoDirectoryEntry),
  /** More folders exist than are listed. */
  truncated: Type.Boolean(),
})
export type EnsoDirectoryListing = Static<typeof EnsoDirectoryListing>
