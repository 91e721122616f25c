/*
 * What cannot wait for a module. Before the first paint: the theme, the density and the language that were chosen here. And
 * of somebody who is signed in, the questions with which each start begins, and the files of the console that answers them.
 */
try {
  const page = document.documentElement
  const theme = localStorage.getItem('pult.theme')
  if (theme === 'light' || theme === 'dark') page.dataset.theme = theme
  if (localStorage.getItem('pult.density') === 'compact') page.dataset.density = 'compact'
  const locale = localStorage.getItem('pult.locale')
  if (locale === 'en' || locale === 'de-DE') page.lang = locale
  const token = localStorage.getItem('pult.token')
  if (token !== null) beginAsking(token, page.lang, localStorage.getItem('pult.activeProjectId'))
} catch {
  // No storage, no choice.
}

/** `src/platform/head-start.ts` hands on what it has begun. */
function beginAsking(token, language, project) {
  const answers = new Map()
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'accept-language': language,
  }
  // Whoever takes an answer hears of its failure.
  const ask = async (path, prepare = () => {}) => {
    const answer = fetch(path, {
      headers,
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(30000),
    })
    answers.set(path, answer)
    try {
      prepare(await (await answer).clone().json())
    } catch {
      // The taker tells.
    }
  }
  const fetchAhead = (rel, href) => {
    const link = Object.assign(document.createElement('link'), { rel, href, crossOrigin: '' })
    // Whoever needs it asks for it again, and tells.
    link.addEventListener('error', () => link.remove())
    document.head.append(link)
  }
  const askForApps = (query) => {
    if (/[?&]safe-mode/.test(location.search)) return
    // Those that `src/extensions/late-entries.ts` puts first: others would be in their way.
    const rank = ({ apps }) => Math.min(...apps.map(({ priority }) => priority))
    void ask(`/api/probe${query}`, (fragments) => {
      const loadable = fragments.filter(({ problem }) => problem === undefined)
      const first = loadable.toSorted((a, b) => rank(a) - rank(b)).slice(0, 6)
      for (const { entry } of first) fetchAhead('modulepreload', entry)
    })
  }

  const headStart = { answers }
  window.pultHeadStart = headStart
  const isPublic = /^\/bift(\/|$)/.test(location.pathname)
  void ask('/api/auth/reissue', ({ credentials }) => {
    if (credentials.isRoot && !isPublic) askForApps('')
  })
  if (isPublic) return
  if (project === null) {
    void ask('/api/projects?limit=1')
  } else {
    void ask(`/api/projects/${project}`)
    askForApps(`?project=${project}`)
  }

  const socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/ws`)
  const heard = []
  const listening = new AbortController()
  socket.addEventListener('open', () => socket.send(JSON.stringify({ type: 'auth', token })))
  socket.addEventListener('message', (event) => heard.push(event), { signal: listening.signal })
  headStart.socket = { socket, token, heard, listening }

  for (const href of (document.currentScript.dataset.frame ?? '').split(' ').filter(Boolean))
    fetchAhead(href.endsWith('.css') ? 'stylesheet' : 'modulepreload', href)
}
