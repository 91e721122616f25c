import { type Browser, chromium, type Page } from '@playwright/test'
import { expectPage } from '@pult/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chromiumFlags, findBrowser } from '../tools/browser.ts'
import { dataFolder, freePort, startProcess } from './server-process.ts'

/*
 * One person, from the printed link to a signed-in console and out again, as a newcomer meets it: the process that npm
 * start runs, an empty data folder, a browser that has never been here.
 */

const password = 'eine gute lange Kette'
let browser: Browser
let url: string
let link: string

beforeAll(async () => {
  const port = await freePort()
  url = `http://localhost:${port}`
  const server = startProcess({ PORT: String(port), PULT_DATA: await dataFolder() })
  await server.ready()
  link = server.firstRootLink() ?? ''
  browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumFlags })
})
afterAll(() => browser.close())

async function newPage(): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ locale: 'de-DE', viewport: { width: 1280, height: 800 } })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (/Content Security Policy|Trusted ?Type/i.test(message.text())) complaints.push(message.text())
  })
  return { page, complaints }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

test('LINK-01 REG-01 LOGIN-06 BOOT-05 ROUTE-15 LOGIN-18 from the printed link to a signed-in console and out again', {
  timeout: 90_000,
}, async () => {
  const { page, complaints } = await newPage()
  await page.routeWebSocket('**/api/ws', (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => setTimeout(() => socket.send(message), 150))
  })

  // Register as the first root by the printed link.
  await page.goto(link)
  await page.getByLabel('Vorname').fill('Rosa')
  await page.getByLabel('Nachname').fill('Root')
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await page.getByLabel('Passwort bestätigen').fill(password)
  await page.getByRole('button', { name: 'Account erstellen' }).click()
  await expectPage(page.getByText('Account erstellt')).toBeVisible()
  expect(page.url()).not.toContain(link.split('/').at(-1))

  // Arrive signed in.
  await page.locator('a[href="/"]').first().click()
  await expectPage(heading(page, 'No project selected')).toBeVisible()
  await expectPage(page.getByRole('link', { name: 'Root' })).toBeVisible()

  // Sign out by the user menu.
  await page.getByRole('button', { name: /root@localhost/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expectPage(heading(page, 'Login')).toBeVisible()

  // Sign in with the password and watch the boot screen, which a connection that takes its time lets one do.
  await page.getByPlaceholder('Username / E-Mail').fill('root@localhost')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Password' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.evaluate(() => {
    const seen = new Set<string>()
    Object.assign(window, { seenSteps: seen })
    new MutationObserver(() => {
      for (const step of document.querySelectorAll('.boot-step')) seen.add(step.textContent?.trim() ?? '')
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
  })
  await page.getByRole('button', { name: 'Login' }).click()
  await expectPage(heading(page, 'No project selected')).toBeVisible()
  const seen = await page.evaluate(() =>
    [...(window as unknown as { seenSteps: Set<string> }).seenSteps].join('\n'),
  )
  for (const step of [
    'Authentication init',
    'Connecting socket',
    'Loading projects',
    'Prepare fragments',
    'Register extensions',
    'Loading apps',
  ]) {
    expect(seen).toContain(step)
  }

  // Reload, then a deep link to a page that does not exist, inside the console.
  await page.reload()
  await expectPage(heading(page, 'No project selected')).toBeVisible()
  await page.goto(`${url}/no/such/page`)
  await expectPage(heading(page, 'Page not found')).toBeVisible()
  await expectPage(page.getByRole('navigation').first()).toBeVisible()

  // Sign out on a deep link; signing in again arrives there.
  await page.goto(`${url}/contact`)
  await expectPage(heading(page, 'Contact')).toBeVisible()
  await page.getByRole('button', { name: /root@localhost/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expectPage(heading(page, 'Login')).toBeVisible()
  await page.goto(`${url}/contact`)
  await page.getByPlaceholder('Username / E-Mail').fill('ROOT@localhost')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Password' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expectPage(heading(page, 'Contact')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/contact')

  expect(complaints).toEqual([])
})

test('BUILD-03 the token and the active project stay in the browser’s storage under their documented keys', {
  timeout: 60_000,
}, async () => {
  const { page } = await newPage()
  await page.goto(url)
  await page.getByPlaceholder('Username / E-Mail').fill('root@localhost')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Password' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expectPage(heading(page, 'No project selected')).toBeVisible()
  const keys = await page.evaluate(() => Object.keys(localStorage))
  expect(keys).toContain('pult.token')
})
