import { refusal } from '../../core/index.js'
import { type PageFile, readPageFiles } from '../page-files.js'
import { refusedAnswer, type RouteAnswer, type ServerRoute } from '../route.js'

/** The page. Its files hold no data and need no token. */
export function pageRoutes(): readonly ServerRoute[] {
  let reading: Promise<ReadonlyMap<string, PageFile>> | undefined
  const fileNamed = async (name: string): Promise<RouteAnswer> => {
    const file = (await (reading ??= readPageFiles())).get(name)
    if (file !== undefined) return { kind: 'file', ...file }
    const reason = name === 'index.html' ? 'the page is not built: npm run build' : 'the page has no such file'
    return refusedAnswer(refusal('not-found', reason))
  }
  const common = {
    method: 'GET',
    summary: 'The page.',
    access: 'open',
    success: [200],
    bodyLimit: 0,
    result: 'text',
    refusals: ['not-found'],
  } as const
  return [
    { ...common, name: 'page', path: '/', handle: () => fileNamed('index.html') },
    {
      ...common,
      name: 'pageFile',
      path: '/page/:file',
      summary: 'A file of the page.',
      handle: ({ params: { file = '' } }) => fileNamed(file),
    },
  ]
}
