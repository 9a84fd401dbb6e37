import { useEffect, useState } from 'preact/hooks'
import type { EnsoDirectoryListing } from '../../core/index.js'
import { calls } from '../api/calls.js'
import { plain } from '../model/plain.js'
import { closeForm, openForm } from '../state/forms.js'
import { load } from '../state/lists.js'
import { Icon } from '../ui/icon.js'

/** Looks through the folders the server may show, and registers one. */
export function AddProject() {
  const [path, setPath] = useState<string | undefined>()
  const [listing, setListing] = useState<EnsoDirectoryListing | undefined>()
  const [title, setTitle] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  useEffect(() => {
    let isOver = false
    void calls.browse(path).then((answer) => {
      if (isOver) return
      if (answer.ok) setListing(answer.value)
      setProblem(answer.ok ? undefined : answer.reason)
    })
    return () => {
      isOver = true
    }
  }, [path])

  async function register(): Promise<void> {
    if (path === undefined) return
    const answer = await calls.registerProject({ path, ...(title.trim() === '' ? {} : { title: title.trim() }) })
    if (!answer.ok) {
      setProblem(answer.reason)
      return
    }
    await load()
    closeForm()
    openForm({ kind: 'thread', projectId: answer.value.projectId })
  }

  const directories = listing?.directories ?? []
  const hasRoots = listing === undefined || listing.path !== null || directories.length > 0
  return (
    <div class="form">
      <p class="path-now">{path === undefined ? 'Folders the server may open' : plain(path)}</p>
      {!hasRoots && (
        <p class="quiet">
          No folders are declared. Add <code>projects.roots</code> to the server’s <code>config.json</code>, such as{' '}
          <code>{'{ "projects": { "roots": ["~/code"] } }'}</code>.
        </p>
      )}
      <ul class="folders">
        {path !== undefined && (
          <li>
            <button type="button" class="folder" onClick={() => setPath(listing?.parent ?? undefined)}>
              <Icon name="folder" /> <span>..</span> <small>up</small>
            </button>
          </li>
        )}
        {directories.map((directory) => (
          <li key={directory.path}>
            <button type="button" class="folder" onClick={() => setPath(directory.path)}>
              <Icon name="folder" /> <span class="ellipsis">{plain(directory.name)}</span>
              {directory.projectId !== undefined && <small class="tag">a project</small>}
            </button>
          </li>
        ))}
      </ul>
      {listing?.truncated === true && <p class="quiet">There are more folders than are shown.</p>}
      {path !== undefined && listing?.registrable === true && (
        <input
          class="field"
          aria-label="Title"
          placeholder="Title (the folder’s name if empty)"
          value={title}
          onInput={({ currentTarget }) => setTitle(currentTarget.value)}
        />
      )}
      <p class="problem" role="alert">
        {problem === undefined ? '' : plain(problem)}
      </p>
      <div class="buttons">
        <button
          type="button"
          class="button is-main"
          disabled={path === undefined || listing?.registrable !== true}
          onClick={() => void register()}
        >
          Add this folder
        </button>
        <button type="button" class="button is-quiet" onClick={closeForm}>
          Cancel
        </button>
      </div>
    </div>
  )
}
