import { useState } from 'preact/hooks'
import { tokenRefused, useToken } from '../api/token.js'

/** What the page shows without a token. */
export function Locked() {
  const [typed, setTyped] = useState('')
  return (
    <main class="locked">
      <svg class="locked-mark" viewBox="0 0 32 32" aria-hidden="true">
        <path d="M24 8a11 11 0 1 0 3 8" />
      </svg>
      <h1>enso</h1>
      <p>
        {tokenRefused.value
          ? 'The server does not take this token any more: it makes a new one at each start. Open the address it printed, or paste it here.'
          : 'Open the address that enso serve printed: it holds the token. You can paste it here too.'}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (typed.trim() !== '') useToken(typed)
        }}
      >
        <input
          class="field"
          type="password"
          aria-label="Address or token"
          placeholder="http://127.0.0.1:…/#token=…"
          autocomplete="off"
          value={typed}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <button type="submit" class="button is-main">
          Open
        </button>
      </form>
    </main>
  )
}
