// @ts-nocheck runs in a browser
// The page while there is no other: takes the token out of the address and lists the threads.
const KEY = 'enso-token'

function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token === null) return sessionStorage.getItem(KEY)
  sessionStorage.setItem(KEY, token)
  history.replaceState(null, '', location.pathname)
  return token
}

function say(text) {
  document.querySelector('#state').textContent = text
}

function row({ threadId, title, messageCount, lastActivityAt, busy }) {
  const item = document.createElement('li')
  const about = document.createElement('small')
  item.textContent = title ?? threadId
  about.textContent = `${threadId} · ${messageCount} messages · ${lastActivityAt}${busy ? ' · busy' : ''}`
  item.append(about)
  return item
}

async function list() {
  const token = takeToken()
  if (token === null) return say('Open the address that enso printed: it holds the token.')
  const response = await fetch('/api/threads', { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) return say((await response.json()).reason)
  const { live, stored } = await response.json()
  document.querySelector('#threads').replaceChildren(...stored.map(row))
  say(`${stored.length} threads, ${live.length} of them live`)
}

list().catch((error) => say(`The server can’t be reached: ${error.message}`))
