import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'

type Loaded<Props> = { readonly part: FunctionComponent<Props> } | { readonly failed: true } | undefined

/** A part of the page that is loaded when it is first shown. */
export function lazy<Props extends object>(load: () => Promise<FunctionComponent<Props>>): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | undefined
  return function Lazy(props: Props) {
    const [state, setState] = useState<Loaded<Props>>(loaded === undefined ? undefined : { part: loaded })
    useEffect(() => {
      if (loaded !== undefined) return
      load().then(
        (part) => {
          loaded = part
          setState({ part })
        },
        () => setState({ failed: true }),
      )
    }, [])
    if (state === undefined) return <p class="quiet centred">Loading…</p>
    if ('failed' in state) return <p class="problem centred">This part of the page could not be loaded.</p>
    const Part = state.part
    return <Part {...props} />
  }
}
