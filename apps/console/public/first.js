/*
 * Runs before any module. It applies the stored theme, density and language before the first paint. With a stored token
 * it also sends the requests of the start and of home, opens the live connection and preloads the console's files.
 */
// A module that failed to load cannot reload the page itself.
addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && reloadLater(), {
  capture: true,
  once: true,
})
try {
  const page = document.documentElement
  const theme = stored('pult.theme')
  if (theme === 'light' || theme === 'dark') page.dataset.theme = theme
  if (stored('pult.density') === 'compact') page.dataset.density = 'compact'
  const locale = stored('pult.locale')
  if (/^(en|de)/.test(locale)) page.lang = locale
  const token = stored('pult.token')
  if (token !== null) beginStart(token, /^\/bift(\/|$)/.test(location.pathname))
} catch {
  // The page starts without it, only later.
}

/** Mirrors `src/platform/storage.ts`: values that the browser does not store are in the history entry. */
function stored(key) {
  const held = history.state?.pultMemory?.[key]
  if (held !== undefined) return held
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

/** `src/platform/early-requests.ts` passes on the responses and the socket. */
function beginStart(token, isPublic) {
  const early = { token, answers: new Map(), startedAt: performance.now() }
  window.pultEarlyRequests = early
  request('/api/auth/reissue', token, early.answers)
  if (isPublic) return
  const project = new URLSearchParams(location.search).get('project') ?? stored('pult.activeProjectId')
  request(
    project === null ? '/api/start' : `/api/start?${new URLSearchParams({ project })}`,
    token,
    early.answers,
  )
  // Home shows the data of one response. Its request need not wait for the code of home.
  if (location.pathname === '/' && /^[\da-f-]{36}$/.test(project))
    request(`/api/projects/${project}/home`, token, early.answers)
  early.socket = openSocket(token)
  const { frame = '', home = '' } = document.currentScript.dataset
  const files = location.pathname === '/' ? `${frame} ${home}` : frame
  for (const href of files.split(' ').filter(Boolean)) preload(href)
}

function request(path, token, answers) {
  // Mirrors `acceptLanguage` in `src/platform/locale.ts`.
  const { lang } = document.documentElement
  const response = fetch(path, {
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'accept-language': lang === 'de' ? '*' : lang,
    },
    cache: 'no-store',
    redirect: 'manual',
    signal: AbortSignal.timeout(30000),
  })
  const json = response.then((answer) => answer.json())
  // The caller that takes the response handles a failure.
  json.catch(() => {})
  answers.set(path, { response, json })
}

function openSocket(token) {
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/ws`)
  const received = []
  const listening = new AbortController()
  socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'auth', token })))
  socket.addEventListener('message', (event) => received.push(event), { signal: listening.signal })
  return { socket, token, received, listening }
}

/**
 * Reloads the page once the server responds, after 30 s at the earliest: this leaves time to read and to press
 * "Try again". If the server does not respond, a reload would show the browser's own error page.
 */
function reloadLater() {
  // A proxy that requests a sign-in redirects. Only a reload leads there.
  const reload = ({ ok, type }) => (ok || type === 'opaqueredirect' ? location.reload() : reloadLater())
  const ask = () => fetch('/api/health/live', { cache: 'no-store', redirect: 'manual' })
  setTimeout(() => void ask().then(reload, reloadLater), 30_000)
}

function preload(href) {
  const rel = href.endsWith('.css') ? 'stylesheet' : 'modulepreload'
  const link = Object.assign(document.createElement('link'), { rel, href, crossOrigin: '' })
  // The import requests the file again and reports its failure.
  link.addEventListener('error', () => link.remove())
  document.head.append(link)
}
