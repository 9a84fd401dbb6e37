import type { ThreadState } from '../model/thread-state.js'
import { modeLabel, modeOption, START_MODES } from '../model/modes.js'
import { dollars, shortCount } from '../model/words.js'
import { setMode, setSetting } from '../state/acts.js'
import { hostCommand, modelRow } from '../state/commands.js'
import { draftOf } from '../state/drafts.js'
import { togglePanel } from '../state/place.js'
import { IconButton } from '../ui/icon-button.js'
import { Picker } from '../ui/picker.js'
import { attachFiles } from './attach.js'

/** What the next prompt runs with. */
export function Settings({ state }: { readonly state: ThreadState }) {
  return (
    <div class="settings">
      <AttachButton threadId={state.threadId} />
      <ModePicker state={state} />
      <ModelPicker state={state} />
      <ThinkingPicker state={state} />
      <ContextMeter state={state} />
    </div>
  )
}

function AttachButton({ threadId }: { readonly threadId: string }) {
  const choose = (): void => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    input.accept = 'image/png,image/jpeg,image/gif,image/webp'
    input.addEventListener('change', () => attachFiles(draftOf(threadId), [...(input.files ?? [])]))
    input.click()
  }
  return <IconButton icon="image" label="Attach images" onClick={choose} />
}

function ModePicker({ state }: { readonly state: ThreadState }) {
  const { mode, available } = state.mode.value
  // A thread that does not run has said nothing of what it offers; to switch its mode starts it.
  const offered: readonly string[] = available.length === 0 ? START_MODES : available
  return (
    <Picker
      label={`Permission mode: ${modeLabel(mode)}`}
      value={mode}
      options={offered.map(modeOption)}
      disabled={state.busy.value}
      onPick={(picked) => void setMode(state.threadId, picked)}
    >
      {modeLabel(mode)}
    </Picker>
  )
}

function ModelPicker({ state }: { readonly state: ThreadState }) {
  const row = modelRow.value
  const model = state.model.value?.model
  const name = model?.name ?? (state.live.value ? 'No model' : undefined)
  if (row?.options === undefined || row.options.length === 0) {
    return name === undefined ? null : <span class="chip is-fixed">{name}</span>
  }
  return (
    <Picker
      label={`Model: ${name ?? 'the default'}`}
      value={model === undefined || model === null ? undefined : `${model.provider}/${model.id}`}
      options={row.options}
      disabled={state.busy.value}
      onPick={(value) => void setSetting(state.threadId, row, value)}
    >
      <span class="ellipsis">{name ?? 'Default model'}</span>
    </Picker>
  )
}

function ThinkingPicker({ state }: { readonly state: ThreadState }) {
  const model = state.model.value
  const row = hostCommand('thinking')
  if (model === null || row === undefined || model.availableThinkingLevels.length < 2) return null
  return (
    <Picker
      label={`Thinking: ${model.thinkingLevel}`}
      value={model.thinkingLevel}
      options={model.availableThinkingLevels.map((level) => ({ id: level, label: level }))}
      disabled={state.busy.value}
      onPick={(value) => void setSetting(state.threadId, row, value)}
    >
      Thinking {model.thinkingLevel}
    </Picker>
  )
}

function ContextMeter({ state }: { readonly state: ThreadState }) {
  const { context, cost } = state.usage.value
  const percent = context?.percent ?? undefined
  if (context === null && cost === 0) return null
  const words =
    context === null
      ? dollars(cost)
      : `${context.tokens === null ? 'not known yet' : shortCount(context.tokens)} of ${shortCount(context.window)} tokens`
  const shown = percent === undefined ? dollars(cost) : `${Math.round(percent)}%`
  return (
    <button
      type="button"
      class="chip meter"
      title={`Context: ${words}${cost > 0 ? `, ${dollars(cost)} spent` : ''}`}
      aria-label={`${shown}. Context: ${words}. Open the context view`}
      onClick={() => togglePanel('context')}
    >
      {context !== null && (
        <svg
          viewBox="0 0 20 20"
          class={percent !== undefined && percent > 80 ? 'ring is-full' : 'ring'}
          aria-hidden="true"
        >
          <circle cx="10" cy="10" r="8" />
          <circle cx="10" cy="10" r="8" pathLength="100" stroke-dasharray={`${percent ?? 0} 100`} />
        </svg>
      )}
      {shown}
    </button>
  )
}
