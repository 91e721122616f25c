import { lateModule } from '#platform/late-module.ts'
import { beginSession, identifySession, reloadPage, servedAnotherUser, session } from '#platform/session.ts'
import { openDocument, storage } from '#platform/storage.ts'
import { authenticate } from './authenticate.ts'
import { texts } from './boot.texts.ts'
import { createBoot } from './boot.ts'
import { languageLoaded } from './catalogue.ts'

export const boot = createBoot()

/** The public page `/bift` loads no part of the console. */
export const isPublicPage = /^\/bift(\/|$)/.test(location.pathname)

export const publicPage = lateModule(() => import('../token-links/TokenLinkPage.tsx'))
export const consoleFrame = lateModule(() => withStyles(import('../console.tsx')))

/** Vite waits only for styles that it requests itself. Those that `first.js` preloads may arrive after the code. */
async function withStyles<Module>(coming: Promise<Module>): Promise<Module> {
  const module = await coming
  const missing = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].filter(
    ({ sheet }) => sheet === null,
  )
  await Promise.all(missing.map(settled))
  return module
}

const settled = (link: HTMLLinkElement) =>
  new Promise((settle) => {
    for (const event of ['load', 'error']) link.addEventListener(event, settle)
  })

/** Leads from the opened page to the console, the login or a public page. */
export async function start(): Promise<void> {
  await languageLoaded
  const run = boot.begin()
  const hasToken = storage.token.read() !== null
  let isCodeMissing = false
  // The code loads while the server answers.
  void loadNext(hasToken).catch(() => {})
  await run.step(texts.authenticationInit, async () => {
    await authenticate()
    // Many browsers cache a failed module preload, so only a reload helps. The server has just responded, so the reload
    // does not end on the browser's own error page.
    if (isCodeMissing) openDocument()
    isCodeMissing = true
    await loadNext(session.get().status === 'signed-in')
    isCodeMissing = false
  })
  if (session.get().status === 'signed-in' && !isPublicPage) {
    const stop = abandonWhenSignedOut()
    await consoleFrame.get().runAppSteps(run, { isStartRead: false })
    stop()
  }
  run.finish(hasToken ? performance.now() : documentArrival())
}

/**
 * Returns when the document arrived, by the page's clock. Without a token the start calls no server, so its step ended
 * before the code that shows it had loaded.
 */
function documentArrival(): number {
  const [document] = performance.getEntriesByType('navigation')
  return document instanceof PerformanceNavigationTiming ? document.responseEnd : performance.now()
}

/** Leads from the login to the console, on the same page. */
export async function signIn(token: string): Promise<void> {
  beginSession(token)
  const run = boot.begin()
  const stop = abandonWhenSignedOut()
  await run.step(texts.authenticationInit, async () => {
    await consoleFrame.load()
    const { credentials } = await consoleFrame.get().readStart()
    if (servedAnotherUser(credentials)) await reloadPage()
    identifySession(credentials)
  })
  await consoleFrame.get().runAppSteps(run, { isStartRead: true })
  stop()
  run.finish()
}

/** A session that ends during the start leads to the login. */
function abandonWhenSignedOut(): () => void {
  const stop = session.subscribe(() => {
    if (session.get().status !== 'signed-out') return
    stop()
    boot.abandon()
  })
  return stop
}

/** Loads the code of the next screen. The login is part of the document's script. */
async function loadNext(signedIn: boolean): Promise<void> {
  if (isPublicPage) await publicPage.load()
  else if (signedIn) await consoleFrame.load()
}
