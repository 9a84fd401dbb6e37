import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { RuntimeCommand } from '../../core/index.js'
import { commandGroups } from '../model/palette.js'
import { plain } from '../model/plain.js'
import { commands } from '../state/commands.js'
import { useInSight, useListbox } from '../ui/listbox.js'

/** What the field's keys mean to the palette; true when one was taken. */
export type PaletteKeys = (event: KeyboardEvent) => boolean

/** The id of the option that the field's keys are at. */
export const activeOption = signal<string | undefined>(undefined)

interface PaletteProps {
  readonly typed: string
  readonly keys: { current: PaletteKeys | undefined }
  readonly onPick: (command: RuntimeCommand) => void
  readonly onClose: () => void
}

/** Commands that fit what is typed after a slash, by kind, with their current values. */
export function Palette({ typed, keys, onPick, onClose }: PaletteProps) {
  const known = commands.value
  const groups = commandGroups(known?.commands ?? [], typed)
  const flat = groups.flatMap((group) => group.commands)
  const list = useRef<HTMLDivElement>(null)
  const listbox = useListbox(flat.length, 0, typed, (index) => onPick(flat[index]!), onClose)
  useInSight(list, listbox.active)
  keys.current = (event) => {
    if (event.key === 'Tab' && flat.length > 0) {
      event.preventDefault()
      onPick(flat[listbox.active]!)
      return true
    }
    return listbox.onKey(event)
  }
  const active = flat.length === 0 ? undefined : `palette-${listbox.active}`
  useEffect(() => {
    activeOption.value = active
    return () => (activeOption.value = undefined)
  }, [active])
  let index = -1
  return (
    <div
      class="popover palette"
      id="palette"
      role="listbox"
      aria-label="Commands"
      tabIndex={0}
      aria-activedescendant={active}
      ref={list}
      onKeyDown={(event) => void listbox.onKey(event)}
    >
      {groups.map(({ title, commands: some }) => (
        <div key={title} role="group" aria-label={title}>
          <p class="palette-title" role="presentation">
            {title}
          </p>
          {some.map((command) => {
            index++
            const at = index
            return (
              <div
                key={`${command.source}-${command.name}`}
                id={`palette-${at}`}
                role="option"
                class="option"
                aria-selected={at === listbox.active}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => onPick(command)}
                onPointerMove={() => listbox.setActive(at)}
              >
                <span class="command-name">/{plain(command.name)}</span>
                <small class="ellipsis">{plain(command.description ?? '')}</small>
                <CommandNow command={command} />
              </div>
            )
          })}
        </div>
      ))}
      {flat.length === 0 && <p class="quiet">{emptyText(known?.source)}</p>}
      {known?.source === 'remembered' && flat.length > 0 && (
        <p class="quiet palette-note">Remembered from the last session; this thread has not started yet.</p>
      )}
    </div>
  )
}

/** A setting's value as it is, by its label. */
function CommandNow({ command: { value, options } }: { readonly command: RuntimeCommand }) {
  if (value === undefined) return null
  return <span class="tag">{options?.find(({ id }) => id === value)?.label ?? value}</span>
}

function emptyText(source: 'live' | 'remembered' | 'none' | undefined): string {
  if (source === undefined) return 'Asking which commands there are…'
  return source === 'none' ? 'Commands are known once a thread has started.' : 'No command fits.'
}
