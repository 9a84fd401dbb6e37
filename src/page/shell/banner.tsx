import { openThread } from '../state/open-thread.js'
import { seconds } from '../state/clock.js'

/** Says that the page and its thread are not in step, and what is done about it. */
export function Banner() {
  const follow = openThread.value?.follow
  const connection = follow?.connection.value
  if (follow === undefined || connection?.kind !== 'waiting') return null
  const left = Math.max(1, Math.ceil((connection.until - seconds.value) / 1000))
  return (
    <div class="banner" role="status">
      <span>The connection is lost. Trying again{left > 1 ? ` in ${left} s` : ''}…</span>
      <button type="button" class="link-button" onClick={follow.now}>
        Try now
      </button>
    </div>
  )
}
