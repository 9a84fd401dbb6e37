import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly id: string; readonly label: string }[]
  readonly at: string
  readonly onPick: (id: string) => void
  readonly children: ComponentChildren
}

/** Several things in one place, one at a time. */
export function Tabs({ label, tabs, at, onPick, children }: TabsProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const step = (by: number): void => {
    const next = (tabs.findIndex((tab) => tab.id === at) + by + tabs.length) % tabs.length
    onPick(tabs[next]!.id)
    list.current?.querySelectorAll<HTMLElement>('[role="tab"]')[next]?.focus()
  }
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} ref={list}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${id}-${tab.id}`}
            aria-selected={tab.id === at}
            aria-controls={`${id}-panel`}
            tabIndex={tab.id === at ? 0 : -1}
            onClick={() => onPick(tab.id)}
            onKeyDown={({ key }) => {
              if (key === 'ArrowRight') step(1)
              if (key === 'ArrowLeft') step(-1)
            }}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div id={`${id}-panel`} class="tab-panel" role="tabpanel" aria-labelledby={`${id}-${at}`}>
        {children}
      </div>
    </>
  )
}
