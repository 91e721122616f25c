import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, chromium, type Locator, type Page } from 'playwright-core'
import { ensureSecret } from '../../apps/server/src/installation/secret.ts'
import { serve } from '../../apps/server/src/serve.ts'
import { chromiumFlags, findBrowser } from '../browser.ts'
import { buildConsole } from '../build-console.ts'
import { buildExtensions } from '../build-extensions.ts'
import { giveDemoData } from '../demo/demo-data.ts'
import { demoPeople } from '../demo/demo-people.ts'
import { demoOrganisations } from '../demo/demo-story.ts'
import { root } from '../steps.ts'

/*
 * npm run screenshots [-- FOLDER [NAME ...]]: the pictures of the README and of the pages, taken from the product itself with the
 * demo's people in it. Without a folder they replace those in docs/screens.
 */

const port = Number(process.env.PORT ?? 8079)
const url = `http://localhost:${port}`
const password = randomBytes(9).toString('base64url')
const [folderName, ...names] = process.argv.slice(2)
const folder = resolve(folderName ?? join(root, 'docs/screens'))

interface Shot {
  name: string
  theme: 'light' | 'dark'
  width: number
  height: number
  take: (page: Page) => Promise<void>
}

const { henrik, rosa } = demoPeople

interface Visit {
  email?: string
  path?: string
}

async function fillUsername(page: Page, { email = henrik.email, path = '/' }: Visit = {}): Promise<void> {
  await page.goto(url + path)
  await page.getByPlaceholder('Username / E-Mail').fill(email)
}

/** Leads to the visited place, as a link does that somebody opens before signing in. */
async function signIn(page: Page, visit?: Visit): Promise<void> {
  await fillUsername(page, visit)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Password' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true }).first()

async function home(page: Page): Promise<void> {
  await signIn(page)
  await heading(page, 'Landstrom Kai 7').waitFor()
}

/** Holds an answer back, so that the start stands still at its step. */
async function bootHeldAtFragments(page: Page): Promise<void> {
  await page.route('**/api/probe*', () => {})
  await signIn(page)
  await page.getByText('Prepare fragments').waitFor()
}

/** Opens a place of the console as somebody, and waits for what it shows. */
const place =
  (path: string, shown: (page: Page) => Locator, email: string = henrik.email) =>
  async (page: Page): Promise<void> => {
    await signIn(page, { email, path })
    await shown(page).waitFor()
    await page.waitForLoadState('networkidle')
  }

/** The first organisation of the list, opened by its link. */
async function organisation(page: Page): Promise<void> {
  const { nordkai } = demoOrganisations
  await place('/orgs', () => page.getByRole('link', { name: nordkai }))(page)
  await page.getByRole('link', { name: nordkai }).click()
  await page.getByText('disposition@nordkai.example').first().waitFor()
}

const terminal = (page: Page) => page.getByText('Containerterminal 3').first()
const notes = place('/app/project-details/notes', (page) => page.getByText('Umschaltung Landstrom').first())
const projects = place('/projects', terminal)
const allProjects = place('/projects', terminal, rosa.email)

const desktop = { width: 1280, height: 800 }
const phone = { width: 390, height: 844 }
const shots: Shot[] = [
  { name: 'login', theme: 'light', ...desktop, take: (page) => fillUsername(page) },
  { name: 'boot', theme: 'dark', ...desktop, take: bootHeldAtFragments },
  { name: 'home', theme: 'light', ...desktop, take: home },
  { name: 'home-dark', theme: 'dark', ...desktop, take: home },
  { name: 'home-phone', theme: 'light', ...phone, take: home },
  {
    name: 'organisations',
    theme: 'light',
    ...desktop,
    take: place('/orgs', (page) => page.getByRole('link', { name: demoOrganisations.nordkai })),
  },
  { name: 'organisation', theme: 'light', ...desktop, take: organisation },
  { name: 'organisation-phone', theme: 'dark', ...phone, take: organisation },
  { name: 'projects', theme: 'light', ...desktop, take: allProjects },
  { name: 'projects-dark', theme: 'dark', ...desktop, take: allProjects },
  { name: 'projects-phone', theme: 'light', ...phone, take: projects },
  { name: 'notes', theme: 'light', ...desktop, take: notes },
  { name: 'notes-phone', theme: 'dark', ...phone, take: notes },
  {
    name: 'project-create',
    theme: 'light',
    ...desktop,
    take: place('/projects/create', (page) => page.getByLabel('Label')),
  },
]

async function takeAll(browser: Browser): Promise<void> {
  await mkdir(folder, { recursive: true })
  const wanted = shots.filter(({ name }) => names.length === 0 || names.includes(name))
  for (const { name, theme, width, height, take } of wanted) {
    const context = await browser.newContext({
      locale: 'de-DE',
      colorScheme: theme,
      viewport: { width, height },
    })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    await take(page)
    await page.evaluate('document.fonts.ready')
    const path = join(folder, `${name}.png`)
    await page.screenshot({ path, animations: 'disabled' })
    await context.close()
    console.log(path)
  }
}

await buildConsole()
await buildExtensions()
const dataFolder = await mkdtemp(join(tmpdir(), 'pult-screens-'))
process.on('exit', () => rmSync(dataFolder, { recursive: true, force: true }))
await serve(
  { ...process.env, PORT: String(port), PULT_DATA: dataFolder },
  {
    prepare: async (db) => {
      const secrets = await ensureSecret({ db, secret: process.env.PULT_SECRET, dataFolder })
      await giveDemoData(db, { password, secrets })
    },
  },
)
const browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumFlags })
try {
  await takeAll(browser)
} finally {
  await browser.close()
  // Stops the server, and with it this process.
  process.kill(process.pid, 'SIGTERM')
}
