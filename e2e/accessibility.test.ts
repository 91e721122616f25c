import AxeBuilder from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import { loginEndpoints } from '@pult/contract'
import { testServer } from '@pult/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumFlags, findBrowser } from '../tools/browser.ts'
import { buildEdgeAgent } from '../tools/build-edge-agent.ts'
import { giveDemoData } from '../tools/demo/demo-data.ts'
import { giveDemoLife } from '../tools/demo/demo-life.ts'
import { demoPeople } from '../tools/demo/demo-people.ts'
import { createTrialRun } from '../tools/demo/trial-run.ts'
import { arrive, leave, type State } from '../tools/screenshots/state.ts'
import { states } from '../tools/screenshots/states.ts'

/*
 * Every route and state that the screenshots show, looked at by axe in both themes, and at 200 % zoom: what is 1280 px wide
 * has 640 of them then, and nobody likes to scroll to both sides.
 */

// One trial run is there to be looked at for as long as the test may take, and for its second try.
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
  browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumFlags })
})
afterAll(async () => {
  life?.stop()
  await browser.close()
})

/** A browser of somebody: the session goes on from page to page, as its token is renewed on the way. */
async function openAs(name: State['as']): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    baseURL: url,
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(20_000)
  const page = await context.newPage()
  if (name === undefined) return page
  const data = { username: demoPeople[name].email, password }
  const { body } = await server.call(loginEndpoints.login, { body: { type: 'credentials', data } })
  server.watchSecret(body.token ?? '')
  await page.goto('/imprint')
  await page.evaluate((token) => localStorage.setItem('pult.token', token), body.token ?? '')
  return page
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** What a theme can break: it is colours and nothing else. */
const ofColours = ['color-contrast', 'link-in-text-block']

async function findingsOf(page: Page, theme: 'light' | 'dark', rules: AxeBuilder): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  const { violations } = await rules.analyze()
  return violations.map(({ id, nodes }) => `${theme} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}

/** Until nothing has changed for a moment: data has come, and layers have opened. */
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
  const width = state.width ?? 1280
  await page.setViewportSize({ width, height: 800 })
  await arrive(page, state)
  // A page that comes with code of its own is there before its heading, for as long as the machine is loaded.
  await page.locator('h1').first().waitFor({ state: 'attached' })
  await state.act?.(page, { password })
  await untilCalm(page)
  const findings = [
    ...(await findingsOf(page, 'light', new AxeBuilder({ page }).withTags(tags))),
    ...(await findingsOf(page, 'dark', new AxeBuilder({ page }).withRules(ofColours))),
  ]
  await page.setViewportSize({ width: Math.min(width, 640), height: 400 })
  // What lies over the page follows it a moment later.
  const fits = page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, undefined, {
    timeout: 2000,
  })
  await fits.catch(() => findings.push('scrolls to the side at 200 % zoom'))
  return findings
}

/** One after the other what a person sees, who keeps one browser. */
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

test('every route and state has no finding of axe in either theme, and does not scroll to the side at 200 %', {
  timeout: 600_000,
}, async () => {
  const of = (person: State['as']) => states.filter(({ as }) => as === person)
  const people = [...new Set(states.map(({ as }) => as))]
  // Three at once keep both cores of a small machine busy; most is for one person to see.
  const half = Math.ceil(of('henrik').length / 2)
  const lanes = await Promise.all([
    lookAs('henrik', of('henrik').slice(0, half)),
    lookAs('henrik', of('henrik').slice(half)),
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
