import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { HostCommandOption } from '../../core/index.js'
import { matchingOptions } from '../model/palette.js'
import { Icon } from './icon.js'
import { useInSight, useListbox } from './listbox.js'

/** With more options than this there is a field to look for one. */
const FILTER_FROM = 8

interface PickerProps {
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly HostCommandOption[]
  readonly onPick: (id: string) => void
  readonly disabled?: boolean
  readonly children: ComponentChildren
  readonly class?: string
}

/** A button that opens a list of choices. */
export function Picker({ label, value, options, onPick, disabled, children, ...rest }: PickerProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const close = (): void => {
    setOpen(false)
    button.current?.focus()
  }
  useEffect(() => {
    if (!open) return
    const away = (event: PointerEvent): void => {
      if (!box.current?.contains(event.target as Node)) setOpen(false)
    }
    addEventListener('pointerdown', away)
    return () => removeEventListener('pointerdown', away)
  }, [open])
  return (
    <div class={`picker ${rest.class ?? ''}`} ref={box}>
      <button
        type="button"
        class="chip"
        ref={button}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-label={label}
        title={label}
        disabled={disabled}
        onClick={() => setOpen(!open)}
      >
        {children}
        <Icon name="down" />
      </button>
      {open && (
        <PickerList
          label={label}
          value={value}
          options={options}
          onClose={close}
          onPick={(id) => {
            close()
            if (id !== value) onPick(id)
          }}
        />
      )}
    </div>
  )
}

interface PickerListProps {
  readonly label: string
  readonly value: string | undefined
  readonly options: readonly HostCommandOption[]
  readonly onPick: (id: string) => void
  readonly onClose: () => void
}

/** The choices themselves, with a field to look for one where there are many. */
export function PickerList({ label, value, options, onPick, onClose }: PickerListProps) {
  const [typed, setTyped] = useState('')
  const shown = matchingOptions(options, typed)
  const start = Math.max(0, typed === '' ? shown.findIndex(({ id }) => id === value) : 0)
  const list = useRef<HTMLUListElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const keys = useListbox(shown.length, start, typed, (index) => onPick(shown[index]!.id), onClose)
  useInSight(list, keys.active)
  useEffect(() => (field.current ?? list.current)?.focus(), [])
  const active = shown.length === 0 ? undefined : `${id}-${keys.active}`
  const hasFilter = options.length > FILTER_FROM
  return (
    <div class="popover" onKeyDown={(event) => void keys.onKey(event)}>
      {hasFilter && (
        <input
          type="text"
          class="popover-filter"
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={active}
          aria-label={`Find in ${label}`}
          placeholder="Find…"
          value={typed}
          ref={field}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
      <ul
        id={id}
        role="listbox"
        aria-label={label}
        tabIndex={hasFilter ? -1 : 0}
        aria-activedescendant={hasFilter ? undefined : active}
        ref={list}
      >
        {shown.map((option, index) => (
          <li
            key={option.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === keys.active}
            class={option.id === value ? 'option is-current' : 'option'}
            onClick={() => onPick(option.id)}
            onPointerMove={() => keys.setActive(index)}
          >
            <span>{option.label}</span>
            {option.detail !== undefined && <small>{option.detail}</small>}
            {option.id === value && <Icon name="check" />}
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p class="quiet">Nothing fits.</p>}
    </div>
  )
}
