/*
 * What cannot wait for a module. Before the first paint: the theme, the density and the language that were chosen here. And
 * of somebody who is signed in, the questions with which each start begins, and the files of the console that answers them.
 */

/** Opened before there is a token; the server closes it when none comes. */
let earlySocket

try {
  const page = document.documentElement
  const theme = localStorage.getItem('pult.theme')
  if (theme === 'light' || theme === 'dark') page.dataset.theme = theme
  if (localStorage.getItem('pult.density') === 'compact') page.dataset.density = 'compact'
  const locale = localStorage.getItem('pult.locale')
  if (locale === 'en' || locale === 'de-DE') page.lang = locale
  const isPublic = /^\/bift(\/|$)/.test(location.pathname)
  const token = localStorage.getItem('pult.token')
  if (token !== null) beginAsking(token, false, isPublic)
  if (token !== null && !isPublic) {
    for (const href of (document.currentScript.dataset.frame ?? '').split(' ').filter(Boolean))
      fetchAhead(href.endsWith('.css') ? 'stylesheet' : 'modulepreload', href)
  }
  window.pultFirstQuestions = firstQuestions
  // The login has the frame's files by the time it has a token.
  window.pultBegin = (issued, ahead) => beginAsking(issued, true, false, ahead)
  window.pultExpect = expectToken
} catch {
  // No storage, no choice.
}

/** While the server looks at what proves somebody: a connection that is open by its answer saves a wait. */
function expectToken() {
  if (!isUsable(earlySocket)) earlySocket = openSocket()
}

function isUsable(early) {
  return early?.socket.readyState <= WebSocket.OPEN
}

function openSocket() {
  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/ws`)
  const heard = []
  const listening = new AbortController()
  socket.addEventListener('message', (event) => heard.push(event), { signal: listening.signal })
  return { socket, heard, listening }
}

/** Of who has just signed in. What takes longest comes first. */
function firstQuestions() {
  const project = localStorage.getItem('pult.activeProjectId')
  return [projectQuestion(project), ...appQuestions(project, true), '/api/me', '/api/me/settings']
}

function projectQuestion(project) {
  return project === null ? '/api/projects?limit=1' : `/api/projects/${project}`
}

function appQuestions(project, mayBeRoot) {
  if (/[?&]safe-mode/.test(location.search)) return []
  return [
    ...(mayBeRoot ? ['/api/probe'] : []),
    ...(project === null ? [] : [`/api/probe?project=${project}`]),
  ]
}

/** `ahead` is what has been answered already. */
function askWith(token, answers, ahead = {}) {
  return (path, prepare = () => {}) => {
    if (path in ahead) {
      const json = ahead[path]
      answers.set(path, { response: Promise.resolve(new Response()), json: Promise.resolve(json) })
      return prepare(json)
    }
    const response = fetch(path, {
      headers: {
        authorization: `Bearer ${token}`,
        accept: 'application/json',
        'accept-language': document.documentElement.lang,
      },
      cache: 'no-store',
      signal: AbortSignal.timeout(30000),
    })
    const json = response.then((answered) => answered.json())
    answers.set(path, { response, json })
    // Whoever takes it hears of its failure.
    json.then(prepare).catch(() => {})
  }
}

/** `src/platform/head-start.ts` hands on what it has begun. A token is new when the login has just been given it. */
function beginAsking(token, isNew, isPublic, ahead) {
  const answers = new Map()
  const ask = askWith(token, answers, ahead)
  const askFirst = (questions) => {
    for (const path of questions) ask(path, path.startsWith('/api/probe') ? fetchEntries : undefined)
  }

  const headStart = { answers, begun: performance.now() }
  window.pultHeadStart = headStart
  if (isNew) {
    askFirst(firstQuestions())
  } else {
    const project = localStorage.getItem('pult.activeProjectId')
    const wasRoot = localStorage.getItem('pult.isRoot') !== null
    if (!isPublic) ask(projectQuestion(project))
    ask('/api/auth/reissue', ({ credentials }) => {
      if (credentials.isRoot && !wasRoot && !isPublic) askFirst(appQuestions(null, true))
    })
    if (!isPublic) askFirst(appQuestions(project, wasRoot))
  }
  if (isPublic) return

  const early = isUsable(earlySocket) ? earlySocket : openSocket()
  earlySocket = undefined
  const authenticate = () => early.socket.send(JSON.stringify({ type: 'auth', token }))
  if (early.socket.readyState === WebSocket.OPEN) authenticate()
  else early.socket.addEventListener('open', authenticate)
  headStart.socket = { ...early, token }
}

/** Those that `src/extensions/late-entries.ts` puts first: others would be in their way. */
function fetchEntries(fragments) {
  const rank = ({ apps }) => Math.min(...apps.map(({ priority }) => priority))
  // Of what was installed after this document, it has no digest.
  const known = document.querySelector('script[type=importmap]')?.textContent ?? ''
  const loadable = fragments.filter(
    ({ problem, entry }) => problem === undefined && known.includes(`"${entry}"`),
  )
  const first = loadable.toSorted((a, b) => rank(a) - rank(b)).slice(0, 6)
  for (const { entry } of first) fetchAhead('modulepreload', entry)
}

function fetchAhead(rel, href) {
  if (document.head.querySelector(`link[href="${href}"]`) !== null) return
  const link = Object.assign(document.createElement('link'), { rel, href, crossOrigin: '' })
  // Whoever needs it asks for it again, and tells.
  link.addEventListener('error', () => link.remove())
  document.head.append(link)
}
