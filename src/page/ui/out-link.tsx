import { plain } from '../model/plain.js'

/** A link that leaves the page. What is no page's address is shown as text. */
export function OutLink({ href, children }: { readonly href: string; readonly children: string }) {
  const shown = plain(children)
  if (!/^https?:\/\//i.test(href)) return <span>{shown}</span>
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer">
      {shown}
    </a>
  )
}
