import type { OAuthLoginCallbacks, OAuthProviderInterface } from '@mariozechner/pi-ai'
import type { EnsoDialogLink, LoginInteraction } from '../../core/index.js'

const CANCELLED = 'Login cancelled'

/** A link that a browser may open: http and https only. */
function webLink(url: string): EnsoDialogLink | undefined {
  return /^https?:\/\//i.test(url) ? { label: 'Open the login page', url } : undefined
}

/**
 * What an account login asks, as questions and lines. A provider that waits for its own callback also takes the code
 * pasted by hand; that question goes away when the callback comes first. Cancelling is the same for both kinds: the
 * paste is refused, which ends a login that never looks at a signal.
 */
export function oauthCallbacks(
  provider: Pick<OAuthProviderInterface, 'name' | 'usesCallbackServer'>,
  ask: LoginInteraction,
  signal: AbortSignal | undefined,
): OAuthLoginCallbacks & { finished(): void } {
  const over = new AbortController()
  const ended = signal ? AbortSignal.any([signal, over.signal]) : over.signal
  let resolvePaste = (_text: string): void => undefined
  let rejectPaste = (_error: Error): void => undefined
  const pasted = new Promise<string>((resolve, reject) => {
    resolvePaste = resolve
    rejectPaste = reject
  })
  // Nobody waits for a paste once the login is over.
  pasted.catch(() => undefined)
  signal?.addEventListener('abort', () => rejectPaste(new Error(CANCELLED)), { once: true })

  async function askForCode(url: string, instructions: string | undefined): Promise<void> {
    const link = webLink(url)
    const text = await ask.input(
      {
        method: 'input',
        title: `Log in to ${provider.name}: paste the code or the address you end at`,
        message: `${instructions ?? ''} The login completes by itself when the browser is on this machine.`.trim(),
        ...(link ? { link } : {}),
      },
      ended,
    )
    if (text === undefined) rejectPaste(new Error(CANCELLED))
    else resolvePaste(text)
  }

  return {
    onAuth({ url, instructions }) {
      if (provider.usesCallbackServer) void askForCode(url, instructions)
      else ask.progress(`Log in to ${provider.name}: open ${url}${instructions ? `. ${instructions}` : ''}`)
    },
    async onPrompt({ message, placeholder, allowEmpty }) {
      const hint = placeholder === undefined ? {} : { placeholder }
      const text = await ask.input({ method: 'input', title: message, ...hint }, ended)
      if (text === undefined || (text.trim() === '' && allowEmpty !== true)) throw new Error(CANCELLED)
      return text
    },
    async onSelect({ message, options }) {
      const labels = options.map((option) => option.label)
      const label = await ask.select({ method: 'select', title: message, options: labels }, ended)
      return options.find((option) => option.label === label)?.id
    },
    onProgress: (message) => ask.progress(message),
    onManualCodeInput: () => pasted,
    signal: ended,
    finished: () => over.abort(),
  }
}
