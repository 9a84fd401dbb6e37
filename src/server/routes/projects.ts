import { Type } from '@sinclair/typebox'
import {
  closed,
  EnsoDirectoryListing,
  EnsoProject,
  EnsoProjectRegistration,
  lazyValidator,
  refusal,
  shapeReason,
} from '../../core/index.js'
import { answer, refusedAnswer, type ServerRoute, SMALL_BODY_BYTES } from '../route.js'
import type { RouteDeps } from './deps.js'

const registration = lazyValidator(EnsoProjectRegistration)
const BrowseQuery = closed({ path: Type.Optional(Type.String()) })

/** Projects: the list of them, registering one, and looking for one. */
export function projectRoutes({ projects }: RouteDeps): readonly ServerRoute[] {
  const common = { access: 'token', success: [200], bodyLimit: SMALL_BODY_BYTES } as const
  return [
    {
      ...common,
      name: 'projects',
      method: 'GET',
      path: '/api/projects',
      summary: 'List the projects: the launch folder, and those that were registered.',
      result: Type.Array(EnsoProject),
      refusals: [],
      handle: () => Promise.resolve(answer(200, projects.list())),
    },
    {
      ...common,
      name: 'registerProject',
      method: 'POST',
      path: '/api/projects',
      summary: 'Register a folder under a declared root as a project.',
      body: EnsoProjectRegistration,
      result: EnsoProject,
      refusals: ['malformed', 'not-found', 'refused'],
      handle: ({ body }) => {
        if (!registration.check(body)) {
          const reason = shapeReason(EnsoProjectRegistration, body) ?? 'not of the expected shape'
          return Promise.resolve(refusedAnswer(refusal('malformed', reason)))
        }
        const registering = projects.register(body)
        return Promise.resolve(registering.ok ? answer(200, registering.project) : refusedAnswer(registering.refusal))
      },
    },
    {
      ...common,
      name: 'browseProjects',
      method: 'GET',
      path: '/api/projects/browse',
      summary: 'List the declared roots, or the folders in one folder inside them.',
      query: BrowseQuery,
      result: EnsoDirectoryListing,
      refusals: ['malformed', 'not-found', 'refused'],
      handle: async ({ query: { path } }) => {
        const browsing = await projects.browse(path)
        return browsing.ok ? answer(200, browsing.listing) : refusedAnswer(browsing.refusal)
      },
    },
  ]
}
