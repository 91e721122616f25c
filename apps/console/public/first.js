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

/** `src/platform/early-answers.ts` hands the answers on. */
function beginAsking(token, language, project) {
  const answers = new Map()
  window.pultEarlyAnswers = answers
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    'accept-language': language,
  }
  const ask = (path) => {
    const answer = fetch(path, {
      headers,
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(30000),
    })
    // Whoever takes it hears of it.
    answer.catch(() => {})
    answers.set(path, answer)
  }
  ask('/api/auth/reissue')
  if (/^\/bift(\/|$)/.test(location.pathname)) return
  if (project === null) {
    ask('/api/projects?limit=1')
  } else {
    const id = encodeURIComponent(project)
    ask(`/api/projects/${id}`)
    if (!new URLSearchParams(location.search).has('safe-mode')) ask(`/api/probe?project=${id}`)
  }
  const { frame = '' } = document.currentScript.dataset
  for (const href of frame.split(' ').filter(Boolean)) {
    const isStyle = href.endsWith('.css')
    const rel = isStyle ? 'preload' : 'modulepreload'
    const link = Object.assign(document.createElement('link'), { rel, href, crossOrigin: '' })
    if (isStyle) link.as = 'style'
    document.head.append(link)
  }
}
