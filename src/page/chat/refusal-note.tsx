import { type EnsoProviderRefusal, providerReasonOf, providerRefusalClass } from '../../core/index.js'
import { plain } from '../model/plain.js'

/** What helps against each class of refusal. */
const ADVICE: Readonly<Record<ReturnType<typeof providerRefusalClass>, string>> = {
  'rate-limited': 'Waiting helps.',
  'not logged in': 'Log in with /login, or choose another model.',
  'model refused': 'Another model or another request may work.',
  'provider policy': 'Another wording may work.',
  'provider error': 'The provider has trouble; waiting helps.',
  'request failed': 'The provider could not be reached.',
}

/** A request that the model's provider refused; in one line where it was tried again. */
export function RefusalNote({
  refusal,
  isRetried,
}: {
  readonly refusal: EnsoProviderRefusal
  readonly isRetried: boolean
}) {
  const kind = providerRefusalClass(refusal)
  if (isRetried) {
    return (
      <p class="quiet ellipsis" title={plain(refusal.message.slice(0, 1000))}>
        Refused ({kind}) and tried again: {plain(providerReasonOf(refusal.message))}
      </p>
    )
  }
  const from = [refusal.provider, refusal.model].filter((part) => part !== undefined).join(' / ')
  return (
    <div class="note is-error" role="note">
      <p>
        <strong>{kind[0]!.toUpperCase() + kind.slice(1)}</strong>
        {refusal.status !== undefined && <span class="tag">{refusal.status}</span>}
        {from !== '' && <span class="quiet"> {plain(from)}</span>}
      </p>
      <p>{plain(providerReasonOf(refusal.message))}</p>
      <p class="quiet">{ADVICE[kind]}</p>
    </div>
  )
}
