import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { serve } from '../../apps/server/src/serve.ts'
import { chromiumFlags, findBrowser } from '../browser.ts'
import { buildConsole } from '../build-console.ts'
import { giveDemoData } from '../demo/demo-data.ts'
import { root } from '../steps.ts'

/*
 * npm run screenshots: the pictures of the README, taken from the product itself with the demo's people in it.
 */

const port = Number(process.env.PORT ?? 8079)
const url = `http://localhost:${port}`
const password = randomBytes(9).toString('base64url')
const folder = join(root, 'docs/screens')

interface Shot {
  name: string
  theme: 'light' | 'dark'
  width: number
  height: number
  take: (page: Page) => Promise<void>
}

async function fillUsername(page: Page): Promise<void> {
  await page.goto(url)
  await page.getByPlaceholder('Username / E-Mail').fill('ada@example.org')
}

async function signIn(page: Page): Promise<void> {
  await fillUsername(page)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Password' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

async function home(page: Page): Promise<void> {
  await signIn(page)
  await page.getByRole('heading', { name: 'Messe 2026' }).waitFor()
}

/** Holds an answer back, so that the start stands still at its step. */
async function bootHeldAtFragments(page: Page): Promise<void> {
  await page.route('**/api/probe*', () => {})
  await signIn(page)
  await page.getByText('Prepare fragments').waitFor()
}

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }
const shots: Shot[] = [
  { name: 'login', theme: 'light', ...desktop, take: fillUsername },
  { name: 'boot', theme: 'dark', ...desktop, take: bootHeldAtFragments },
  { name: 'home', theme: 'light', ...desktop, take: home },
  { name: 'home-dark', theme: 'dark', ...desktop, take: home },
  { name: 'home-phone', theme: 'light', ...phone, take: home },
]

async function takeAll(browser: Browser): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const { name, theme, width, height, take } of shots) {
    const context = await browser.newContext({
      locale: 'de-DE',
      colorScheme: theme,
      viewport: { width, height },
    })
    const page = await context.newPage()
    await take(page)
    await page.evaluate('document.fonts.ready')
    await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
    await context.close()
    console.log(`docs/screens/${name}.png`)
  }
}

await buildConsole()
const dataFolder = await mkdtemp(join(tmpdir(), 'pult-screens-'))
process.on('exit', () => rmSync(dataFolder, { recursive: true, force: true }))
await serve(
  { ...process.env, PORT: String(port), PULT_DATA: dataFolder },
  { prepare: (db) => giveDemoData(db, password) },
)
const browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumFlags })
try {
  await takeAll(browser)
} finally {
  await browser.close()
  // Stops the server, and with it this process.
  process.kill(process.pid, 'SIGTERM')
}
