import { refusal } from '../../core/index.js'
import { refusedAnswer, type ServerRoute } from '../route.js'
import { readStaticFile } from '../static-files.js'

const FILES = [
  { name: 'page', path: '/', file: 'index.html', contentType: 'text/html; charset=utf-8' },
  { name: 'pageScript', path: '/page.js', file: 'page.js', contentType: 'text/javascript; charset=utf-8' },
  { name: 'pageStyle', path: '/page.css', file: 'page.css', contentType: 'text/css; charset=utf-8' },
] as const

/** The page. Its files hold no data and need no token; each is named here, so no path is ever made from a request. */
export function pageRoutes(): readonly ServerRoute[] {
  return FILES.map(({ name, path, file, contentType }) => ({
    name,
    method: 'GET' as const,
    path,
    summary: 'The page.',
    access: 'open' as const,
    success: [200] as const,
    bodyLimit: 0,
    result: 'text' as const,
    refusals: [],
    handle: async () => {
      const text = await readStaticFile(file)
      return text === undefined
        ? refusedAnswer(refusal('not-found', 'the page is missing from this installation'))
        : { kind: 'text' as const, contentType, text }
    },
  }))
}
