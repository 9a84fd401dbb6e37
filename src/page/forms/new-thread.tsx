import { useEffect, useId, useState } from 'preact/hooks'
import { ENSO_PERMISSION_MODES, type EnsoConfigurationRefusal, type EnsoThreadCommands } from '../../core/index.js'
import { calls } from '../api/calls.js'
import { newThread } from '../api/new-threads.js'
import { modeLabel, modeOption, START_MODES } from '../model/modes.js'
import { plain } from '../model/plain.js'
import { startThread } from '../state/start-thread.js'
import { closeForm } from '../state/forms.js'
import { projects } from '../state/lists.js'
import { openThread } from '../state/open-thread.js'

/** What a thread begins with: where, with which model, how it may act, and its first prompt. */
export function NewThread({ projectId }: { readonly projectId: string | undefined }) {
  const usable = projects.value.filter(({ status }) => status === 'ok')
  const first =
    usable.find((project) => project.projectId === projectId) ?? usable.find(({ launch }) => launch) ?? usable[0]
  const [picked, setProject] = useState<string | undefined>(undefined)
  // The list of projects may come later than the form.
  const project = picked ?? first?.projectId
  const [known, setKnown] = useState<EnsoThreadCommands | undefined>()
  const [model, setModel] = useState('')
  const [thinking, setThinking] = useState('')
  const [mode, setMode] = useState('')
  const [prompt, setPrompt] = useState('')
  const [refusal, setRefusal] = useState<EnsoConfigurationRefusal | string | undefined>()
  const [isBusy, setBusy] = useState(false)
  const id = useId()
  // Which commands there are is asked of the thread to be; asking begins nothing.
  useEffect(() => {
    const threadId = newThread(undefined)
    void calls.commands(threadId).then((answer) => {
      setKnown(answer.ok ? answer.value : { threadId, source: 'none', commands: [] })
    })
  }, [])

  async function start(): Promise<void> {
    setBusy(true)
    const refused = await startThread(newThread(project), { model, thinking, mode }, prompt)
    setBusy(false)
    setRefusal(refused)
    if (refused === undefined) closeForm()
  }

  const models = known?.commands.find(({ name, source }) => source === 'host' && name === 'model')?.options ?? []
  const levels = models.find((option) => option.id === model)?.thinkingLevels ?? []
  const problemOf = (step: EnsoConfigurationRefusal['step']): string | undefined =>
    typeof refusal === 'object' && refusal.step === step ? refusal.reason : undefined
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault()
        void start()
      }}
    >
      <Field id={`${id}-project`} label="Project">
        <select
          id={`${id}-project`}
          class="field"
          value={project}
          onChange={({ currentTarget }) => setProject(currentTarget.value)}
        >
          {usable.map((one) => (
            <option key={one.projectId} value={one.projectId}>
              {plain(one.title)} — {plain(one.path)}
            </option>
          ))}
        </select>
      </Field>
      <Field id={`${id}-prompt`} label="First prompt">
        <textarea
          id={`${id}-prompt`}
          class="field"
          rows={4}
          autofocus
          placeholder="What shall be done?"
          value={prompt}
          onInput={({ currentTarget }) => setPrompt(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void start()
          }}
        />
      </Field>
      <div class="form-row">
        <Field id={`${id}-model`} label="Model" problem={problemOf('model')}>
          {known !== undefined && models.length === 0 ? (
            <input
              id={`${id}-model`}
              class="field"
              placeholder="the server’s default"
              autocapitalize="off"
              spellcheck={false}
              value={model}
              onInput={({ currentTarget }) => setModel(currentTarget.value.trim())}
            />
          ) : (
            <select
              id={`${id}-model`}
              class="field"
              value={model}
              onChange={({ currentTarget }) => {
                setModel(currentTarget.value)
                setThinking('')
              }}
            >
              <option value="">The server’s default</option>
              {models.map((option) => (
                <option key={option.id} value={option.id}>
                  {option.label} ({option.detail ?? option.id})
                </option>
              ))}
            </select>
          )}
        </Field>
        {levels.length > 1 && (
          <Field id={`${id}-thinking`} label="Thinking" problem={problemOf('thinking')}>
            <Choice
              id={`${id}-thinking`}
              value={thinking}
              values={levels}
              onPick={setThinking}
              label={(level) => level}
            />
          </Field>
        )}
        <Field id={`${id}-mode`} label="Permission mode" problem={problemOf('mode')}>
          <Choice id={`${id}-mode`} value={mode} values={offeredModes()} onPick={setMode} label={modeWords} />
        </Field>
      </div>
      {models.length === 0 && known !== undefined && (
        <p class="quiet">Models can be chosen from a list once a thread has started on this server.</p>
      )}
      {typeof refusal === 'string' && (
        <p class="problem" role="alert">
          {plain(refusal)}
        </p>
      )}
      <div class="buttons">
        <button type="submit" class="button is-main" disabled={isBusy || project === undefined}>
          {isBusy ? 'Starting…' : prompt.trim() === '' ? 'Create' : 'Start'}
        </button>
        <button type="button" class="button is-quiet" onClick={closeForm}>
          Cancel
        </button>
      </div>
    </form>
  )
}

/** The mode that asks nobody only where a thread of this server offers it. */
function offeredModes(): readonly string[] {
  const offered = openThread.value?.state.mode.value.available ?? []
  return ENSO_PERMISSION_MODES.filter(
    (mode) => offered.includes(mode) || (START_MODES as readonly string[]).includes(mode),
  )
}

function modeWords(mode: string): string {
  return `${modeLabel(mode)} – ${modeOption(mode).detail ?? ''}`
}

interface ChoiceProps {
  readonly id: string
  readonly value: string
  readonly values: readonly string[]
  readonly onPick: (value: string) => void
  readonly label: (value: string) => string
}

function Choice({ id, value, values, onPick, label }: ChoiceProps) {
  return (
    <select id={id} class="field" value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
      <option value="">The server’s default</option>
      {values.map((one) => (
        <option key={one} value={one}>
          {label(one)}
        </option>
      ))}
    </select>
  )
}

interface FieldProps {
  readonly id: string
  readonly label: string
  readonly problem?: string | undefined
  readonly children: preact.ComponentChildren
}

function Field({ id, label, problem, children }: FieldProps) {
  return (
    <div class="form-field">
      <label for={id}>{label}</label>
      {children}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {plain(problem)}
        </p>
      )}
    </div>
  )
}
