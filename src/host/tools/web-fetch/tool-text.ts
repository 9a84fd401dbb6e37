import { EXTERNAL_WEB_CONTENT_NOTICE } from '../../../core/web-fetch.js'
import type { FetchedPage } from './fetch-page.js'

/** What the model reads of a page: the notice first, then where it is from, then its text. */
export function toolText(page: FetchedPage): string {
  const status = page.status >= 200 && page.status < 300 ? '' : ` (HTTP ${page.status})`
  return `${EXTERNAL_WEB_CONTENT_NOTICE}\n\n${page.url}${status}\n\n${page.text}`
}
