import type { Browser, Page } from '@playwright/test'
import { expectPage, freePort, workerBrowser } from '@pult/testkit'
import { beforeAll, expect, test } from 'vitest'
import { dataFolder, startProcess } from './server-process.ts'

/*
 * The first root from the printed link to the sign-out, with the process of npm start, an empty data folder and a new
 * browser.
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
  browser = await workerBrowser()
})

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

test('LINK-01 REG-01 LOGIN-06 BOOT-05 BUILD-03 ROUTE-15 LOGIN-18 the printed link leads to a signed-in console and to the sign-out', async () => {
  const { page, complaints } = await newPage()
  await page.routeWebSocket('**/api/ws', (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => setTimeout(() => socket.send(message), 150))
  })

  // Registers as the first root with the printed link.
  await page.goto(`${url}/projects`)
  await page.getByLabel('Einrichtungslink').fill(link)
  await page.keyboard.press('Enter')
  await page.getByLabel('Vorname').fill('Rosa')
  await page.getByLabel('Nachname').fill('Root')
  await page.getByLabel('Passwort', { exact: true }).fill(password)
  await page.getByLabel('Passwort bestätigen').fill(password)
  await page.getByLabel('Sprache der Installation').selectOption('de')
  await page.getByRole('button', { name: 'Konto erstellen' }).click()

  // The user is signed in, and the address no longer contains the link.
  await expectPage(heading(page, 'No project selected')).toBeVisible()
  await expectPage(page).toHaveURL(`${url}/`)
  await expectPage(page.getByRole('link', { name: 'Root' })).toBeVisible()

  // Signs out in the user menu.
  await page.getByRole('button', { name: /root@localhost/ }).click()
  await page.getByRole('dialog', { name: 'Your account' }).getByRole('button', { name: 'Logout' }).click()
  await expectPage(heading(page, 'Login')).toBeVisible()

  // Signs in with the password over a slow connection, to observe the boot screen.
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

  // Reloads, then opens a deep link to a page that does not exist, inside the console.
  await page.reload()
  await expectPage(heading(page, 'No project selected')).toBeVisible()
  await page.goto(`${url}/no/such/page`)
  await expectPage(heading(page, 'Page not found')).toBeVisible()
  await expectPage(page.getByRole('navigation').first()).toBeVisible()

  // Signs out on a deep link. The next sign-in returns to it.
  await page.goto(`${url}/contact`)
  await expectPage(heading(page, 'Contact')).toBeVisible()
  await page.getByRole('button', { name: /root@localhost/ }).click()
  await page.getByRole('dialog', { name: 'Your account' }).getByRole('button', { name: 'Logout' }).click()
  await expectPage(heading(page, 'Login')).toBeVisible()
  await page.goto(`${url}/contact`)
  await page.getByPlaceholder('Username / E-Mail').fill('ROOT@localhost')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Password' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expectPage(heading(page, 'Contact')).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/contact')
  // The browser stores the token under its documented key.
  expect(await page.evaluate(() => Object.keys(localStorage))).toContain('pult.token')

  expect(complaints).toEqual([])
})
