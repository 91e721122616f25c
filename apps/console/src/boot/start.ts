import type { Credentials } from '@pult/contract'
import { beginHeadStart } from '#platform/head-start.ts'
import { identityCalls } from '#platform/identity.ts'
import { lateModule } from '#platform/late-module.ts'
import { beginSession, identifySession, session } from '#platform/session.ts'
import { storage } from '#platform/storage.ts'
import { authenticate } from './authenticate.ts'
import { texts } from './boot.texts.ts'
import { createBoot } from './boot.ts'
import { spoken } from './catalogue.ts'

export const boot = createBoot()

/** `/bift` works for everybody and on its own: nothing of the console is loaded for it. */
export const isPublicPage = /^\/bift(\/|$)/.test(location.pathname)

export const publicPage = lateModule(() => import('../token-links/TokenLinkPage.tsx'))
export const consoleFrame = lateModule(() => withStyles(import('../console.tsx')))

/** Vite waits for the styles that it asks for itself: those that `first.js` has asked for may be later than the code. */
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

/** From opening the page to the console, the login or a public page. */
export async function start(): Promise<void> {
  await spoken
  const run = boot.begin()
  const hasToken = storage.token.read() !== null
  let isCodeMissing = false
  // Its code travels while the server is asked.
  void loadNext(hasToken).catch(() => {})
  await run.step(texts.authenticationInit, async () => {
    // Many browsers remember of what was fetched ahead that it could not be.
    if (isCodeMissing) location.reload()
    await authenticate()
    isCodeMissing = true
    await loadNext(session.get().status === 'signed-in')
    isCodeMissing = false
  })
  if (session.get().status === 'signed-in' && !isPublicPage) {
    const stop = abandonWhenSignedOut()
    await consoleFrame.get().runAppSteps(run)
    stop()
  }
  run.finish(hasToken ? performance.now() : documentArrival())
}

/** Without a token there is nothing to ask: the step was over before the code that shows it had arrived. */
function documentArrival(): number {
  const [document] = performance.getEntriesByType('navigation')
  return document instanceof PerformanceNavigationTiming ? document.responseEnd : performance.now()
}

/** Milliseconds. A start that is over sooner shows its screen as the cover of the console alone. */
const unnoticed = 50

/** From the login to the console, on the same page. Resolves when the login is not what is to be seen any more. */
export function signIn(token: string): Promise<void> {
  void enter(token)
  return new Promise((resolve) => {
    const look = () => {
      if (boot.phase.get() === 'unnoticed') return
      stop()
      resolve()
    }
    const stop = boot.phase.subscribe(look)
    look()
  })
}

async function enter(token: string): Promise<void> {
  // The server answers while the boot screen takes the login's place.
  beginHeadStart(token)
  beginSession(token)
  const run = boot.begin({ unnoticed })
  const stop = abandonWhenSignedOut()
  await run.step(texts.authenticationInit, async () => {
    if (consoleFrame.isLoaded()) consoleFrame.get().prefetchApp()
    identifySession(await readMe())
    await consoleFrame.load()
    await consoleFrame.get().followLanguageAhead()
  })
  await consoleFrame.get().runAppSteps(run)
  stop()
  run.finish()
}

function readMe(): Promise<Credentials> {
  return identityCalls.isLoaded()
    ? identityCalls.get().readMe()
    : identityCalls.load().then((calls) => calls.readMe())
}

/** A session that ends while the console is on its way leads to the login. */
function abandonWhenSignedOut(): () => void {
  const stop = session.subscribe(() => {
    if (session.get().status !== 'signed-out') return
    stop()
    boot.abandon()
  })
  return stop
}

/** The login came with the document. */
async function loadNext(signedIn: boolean): Promise<void> {
  if (isPublicPage) await publicPage.load()
  else if (signedIn) await consoleFrame.load()
}
