import type { Browser, BrowserContext, Page } from '@playwright/test'
import { loginEndpoints } from '@pult/contract'
import { accessibilityFindings, colorRules, testServer, workerBrowser } from '@pult/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildEdgeAgent } from '../tools/build-edge-agent.ts'
import { giveDemoData } from '../tools/demo/demo-data.ts'
import { giveDemoLife } from '../tools/demo/demo-life.ts'
import { demoPeople } from '../tools/demo/demo-people.ts'
import { createTrialRun } from '../tools/demo/trial-run.ts'
import { arrive, leave, type State } from '../tools/screenshots/state.ts'
import { states } from '../tools/screenshots/states.ts'

/*
 * Checks every route and state of the screenshots with axe, in both themes, at every width of the requirement and at
 * 200 % zoom.
 */

/** The first one is where a state is reached. A screen of 1440 x 900 px has 720 x 450 px of CSS at 200 %. */
const screens = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 720, height: 450 },
  { width: 390, height: 844 },
]

/** The rules that content which a width hides, moves or lets scroll can break. */
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

/** Windows may lie over a part of what is below them. */
const layoutRulesOf = ({ name }: State) =>
  name === 'windows' ? layoutRules.filter((rule) => rule !== 'target-size') : layoutRules

// A trial run that stays running for the whole test.
const server = await testServer({ withConsole: true, taskKinds: [createTrialRun(30)] })
const { db, secrets, url } = server
const password = 'Kranführer im Nebel 12'
server.watchSecret(password)

let browser: Browser
let life: { stop: () => void } | undefined
beforeAll(async () => {
  for (const { otpSecret } of await giveDemoData(db, { password, secrets }))
    if (otpSecret !== undefined) server.watchSecret(otpSecret)
  await buildEdgeAgent()
  life = await giveDemoLife({ url, password, dataFolder: server.dataFolder })
  browser = await workerBrowser()
})
afterAll(() => life?.stop())

/** A signed-in browser. The session continues across pages, because its token is renewed. */
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

async function look(page: Page, state: State): Promise<string[]> {
  const shown = screens.filter(({ width }) => state.width === undefined || width === state.width)
  const findings: string[] = []
  for (const [index, screen] of shown.entries()) {
    await page.setViewportSize(screen)
    if (index === 0) await reach(page, state)
    await untilCalm(page)
    // A theme changes colours alone, and a width what is laid out.
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
  // A page with its own code can take a while on a loaded machine; its heading shows that it is complete.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await state.act?.(page, { password })
}

async function sidewaysOf(page: Page): Promise<string[]> {
  // Layers above the page appear a moment later.
  const fits = page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth)
  return fits.then(
    () => [],
    () => ['scrolls to the side'],
  )
}

/** Opens one user's pages one after the other in one browser. */
async function lookAs(name: State['as'], seen: readonly State[]): Promise<[string, string[]][]> {
  const page = await openAs(name)
  const found: [string, string[]][] = []
  for (const state of seen) {
    try {
      found.push([state.name, await look(page, state)])
    } catch (error) {
      found.push([state.name, [`is not reached: ${String(error).split('\n').slice(0, 4).join(' ')}`]])
    } finally {
      await leave(page)
    }
  }
  return found
}

test('every route and state has no axe findings in either theme at 1440, 768 and 390 px and at 200 % zoom, and does not scroll sideways, also at 400 %', {
  timeout: 1_200_000,
}, async () => {
  const of = (person: State['as']) => states.filter(({ as }) => as === person)
  const people = [...new Set(states.map(({ as }) => as))]
  // Most states belong to one user. Other tests run beside this one.
  const lanes = await Promise.all([
    lookAs('henrik', of('henrik')),
    (async () => {
      const found: [string, string[]][] = []
      for (const person of people) if (person !== 'henrik') found.push(...(await lookAs(person, of(person))))
      return found
    })(),
  ])
  const found = lanes.flat()
  expect(found).toHaveLength(states.length)
  expect(Object.fromEntries(found.filter(([, findings]) => findings.length > 0))).toEqual({})
})
