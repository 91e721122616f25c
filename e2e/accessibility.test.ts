import type { Browser, BrowserContext, Page } from '@playwright/test'
import { loginEndpoints } from '@pult/contract'
import { accessibilityFindings, colorRules, sized, testServer, workerBrowser } from '@pult/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEdgeAgent } from '../tools/build-edge-agent.ts'
import { addDemoData } from '../tools/demo/demo-data.ts'
import { addDemoLife } from '../tools/demo/demo-life.ts'
import { demoPeople } from '../tools/demo/demo-people.ts'
import { createTrialRun } from '../tools/demo/trial-run.ts'
import { arrive, leave, type State } from '../tools/screenshots/state.ts'
import { states } from '../tools/screenshots/states.ts'

/*
 * Checks every route and state of the screenshots with axe, in both themes, at every width of the requirement and at
 * 200 % zoom. The short form leaves out the widths between the widest and the narrowest. The tests of each page check
 * theirs at all widths.
 */

/** States are reached at the first size. A screen of 1440 x 900 px has 720 x 450 CSS px at 200 %. */
const [widest, narrowest] = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]
const between = [
  { width: 768, height: 1024 },
  { width: 720, height: 450 },
]
const screens = [widest, ...sized([], between), narrowest]

/** Rules whose result depends on the width, because narrow screens hide, move or scroll content. */
const layoutRules = [
  ...colorRules,
  'target-size',
  'aria-hidden-focus',
  'button-name',
  'heading-order',
  'label',
  'landmark-one-main',
  'landmark-unique',
  'link-name',
  'list',
  'listitem',
  'page-has-heading-one',
  'region',
  'scrollable-region-focusable',
]

/** Windows may cover parts of the content below. */
const layoutRulesOf = ({ name }: State) =>
  name === 'windows' ? layoutRules.filter((rule) => rule !== 'target-size') : layoutRules

// The trial run lasts longer than the test.
const server = await testServer({ withConsole: true, taskKinds: [createTrialRun(30)] })
const { db, secrets, url } = server
const password = 'Kranführer im Nebel 12'
server.watchSecret(password)

let browser: Browser
let life: { stop: () => void } | undefined
beforeAll(async () => {
  for (const { otpSecret } of await addDemoData(db, { password, secrets }))
    if (otpSecret !== undefined) server.watchSecret(otpSecret)
  await buildEdgeAgent()
  life = await addDemoLife({ url, password, dataFolder: server.dataFolder })
  browser = await workerBrowser()
})
afterAll(() => life?.stop())

/** Opens a page for a signed-in or anonymous user. The session continues across pages, because its token is renewed. */
async function openAs(name: State['as']): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    baseURL: url,
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  if (name === undefined) return page
  const data = { username: demoPeople[name].email, password }
  const { body } = await server.call(loginEndpoints.login, { body: { type: 'credentials', data } })
  server.watchSecret(body.token ?? '')
  await page.goto('/imprint')
  await page.evaluate((token) => localStorage.setItem('pult.token', token), body.token ?? '')
  return page
}

async function findingsOf(page: Page, theme: 'light' | 'dark', rules?: readonly string[]): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  return (await accessibilityFindings(page, rules)).map((finding) => `${theme} ${finding}`)
}

/** Waits until the page is stable: data has loaded, and layers have opened. */
const untilCalm = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        let timer = setTimeout(resolve, 200)
        const last = setTimeout(resolve, 2000)
        new MutationObserver(() => {
          clearTimeout(timer)
          timer = setTimeout(() => {
            clearTimeout(last)
            resolve()
          }, 200)
        }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
      }),
  )

async function checkState(page: Page, state: State): Promise<string[]> {
  const shown = screens.filter(({ width }) => state.width === undefined || width === state.width)
  const findings: string[] = []
  for (const [index, screen] of shown.entries()) {
    await page.setViewportSize(screen)
    if (index === 0) await reach(page, state)
    await untilCalm(page)
    // A theme changes only colours, and a width only the layout.
    const found = [
      ...(await findingsOf(page, 'light', index === 0 ? undefined : layoutRulesOf(state))),
      ...(await findingsOf(page, 'dark', index === 0 ? undefined : colorRules)),
      ...(await sidewaysOf(page)),
    ]
    findings.push(...found.map((finding) => `${screen.width} px ${finding}`))
  }
  await page.setViewportSize({ width: 320, height: 400 })
  return [...findings, ...(await sidewaysOf(page)).map((finding) => `320 px ${finding}`)]
}

async function reach(page: Page, state: State): Promise<void> {
  await arrive(page, state)
  // The heading shows that the page's code has loaded, which can be slow on a busy machine.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await state.act?.(page, { password })
}

async function sidewaysOf(page: Page): Promise<string[]> {
  // Layers above the page appear a moment later.
  const fits = page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth)
  return fits.then(
    () => [],
    () => ['scrolls sideways'],
  )
}

/** Checks the states of one user in sequence in one browser. */
async function checkAs(name: State['as'], seen: readonly State[]): Promise<[string, string[]][]> {
  const page = await openAs(name)
  const found: [string, string[]][] = []
  for (const state of seen) {
    try {
      found.push([state.name, await checkState(page, state)])
    } catch (error) {
      found.push([state.name, [`cannot be reached: ${String(error).split('\n').slice(0, 4).join(' ')}`]])
    } finally {
      await leave(page)
    }
  }
  return found
}

test('every route and state has no axe findings in either theme at 1440 and 390 px, at full length also at 768 px and at 200 % zoom, and does not scroll sideways, even at 400 %', {
  tags: ['long'],
  timeout: 1_200_000,
}, async () => {
  const of = (person: State['as']) => states.filter(({ as }) => as === person)
  const people = [...new Set(states.map(({ as }) => as))]
  // Most states belong to one user. Two lanes are enough, because other tests run concurrently.
  const lanes = await Promise.all([
    checkAs('henrik', of('henrik')),
    (async () => {
      const found: [string, string[]][] = []
      for (const person of people) if (person !== 'henrik') found.push(...(await checkAs(person, of(person))))
      return found
    })(),
  ])
  const found = lanes.flat()
  expect(found).toHaveLength(states.length)
  expect(Object.fromEntries(found.filter(([, findings]) => findings.length > 0))).toEqual({})
})
