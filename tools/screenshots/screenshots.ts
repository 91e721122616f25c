import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { edgeEndpoints, mediaEndpoints, projectEndpoints } from '@pult/contract'
import { type Browser, chromium, type Page } from 'playwright-core'
import { callEndpoint } from '../../packages/testkit/src/call.ts'
import { chromiumFlags, findBrowser } from '../browser.ts'
import { addPastValues } from '../demo/demo-history.ts'
import { addDemoLife } from '../demo/demo-life.ts'
import { livingProjects } from '../demo/demo-story.ts'
import { root } from '../steps.ts'
import { type DemoConsole, openAs, serveDemo, tokenOf, writeReduced } from './demo-console.ts'
import { withCards } from './gallery-cards.ts'
import { newStates, takeNew } from './new-installation.ts'
import { arrive, leave, type State } from './state.ts'
import { states } from './states.ts'

/*
 * npm run screenshots [-- FOLDER [NAME ...]]: takes pictures of the product with the demo, and of a new installation.
 * With a folder: all states, or the named ones, in both themes and three widths. Without a folder: the pictures of the
 * README, into docs/screens.
 */

const port = Number(process.env.PORT ?? 8079)
const [folderName, ...names] = process.argv.slice(2)
const folder = resolve(folderName ?? join(root, 'docs/screens'))

type Theme = 'light' | 'dark'
const heights = { 1440: 900, 820: 1100, 390: 844 }
type Width = keyof typeof heights
const widths: Width[] = [1440, 820, 390]

/** The pictures of the README and the pages: name and content. */
const shown: Record<string, [string, Theme, Width]> = {
  login: ['login', 'light', 1440],
  boot: ['boot', 'dark', 1440],
  home: ['home', 'light', 1440],
  'home-dark': ['home', 'dark', 1440],
  'home-phone': ['home', 'light', 390],
  projects: ['projects', 'light', 1440],
  edges: ['edges', 'light', 1440],
  root: ['root-home', 'light', 1440],
  switcher: ['project-switcher', 'light', 1440],
  windows: ['windows', 'light', 1440],
  palette: ['palette', 'dark', 1440],
  tasks: ['tasks-panel', 'light', 1440],
  media: ['media', 'light', 1440],
  edge: ['edge', 'light', 1440],
  'stream-decks': ['settings-stream-decks', 'dark', 1440],
}

async function shoot(page: Page, name: string, theme: Theme, width: Width): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: heights[width] })
  await page.evaluate('document.fonts.ready')
  await page.waitForTimeout(250)
  await keep(await page.screenshot({ animations: 'disabled' }), name)
}

async function keep(picture: Buffer, name: string): Promise<void> {
  const file = join(folder, `${name}.png`)
  if (folderName !== undefined) return writeFile(file, picture)
  await writeReduced(picture, file)
}

/** Waits until the formats of the pictures are ready and the agents are online. */
async function untilAlive(demo: DemoConsole): Promise<void> {
  const { url } = demo
  const token = await tokenOf(demo, 'henrik')
  const { items } = (await callEndpoint(url, token, projectEndpoints.list)).body
  const projectId = items.find(({ label }) => label === livingProjects.shorePower.label)?._id ?? ''
  const isAlive = async () => {
    const media = (await callEndpoint(url, token, mediaEndpoints.list, { params: { projectId } })).body.items
    const edges = (await callEndpoint(url, token, edgeEndpoints.list, { params: { projectId } })).body.items
    const present = edges.filter(({ state }) => state === 'online')
    return media.every(({ state }) => state === 'ready') && present.length > 4
  }
  for (let tries = 0; tries < 60 && !(await isAlive()); tries += 1)
    await new Promise((next) => setTimeout(next, 500))
}

/** Waits until lists and pictures have loaded. The network is never idle, because pages subscribe and poll. */
async function settle(page: Page): Promise<void> {
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
  await page.evaluate(`Promise.all([...document.images].filter(({ loading }) => loading !== 'lazy')
    .map((image) => image.decode().catch(() => {})))`)
}

async function takeAll(browser: Browser, demo: DemoConsole): Promise<void> {
  await mkdir(folder, { recursive: true })
  const pages = new Map<string, Page>()
  for (const state of states) {
    const { name, as, width: only } = state
    const wanted =
      folderName === undefined
        ? Object.entries(shown)
            .filter(([, [of]]) => of === name)
            .map(([file, [, theme, width]]) => ({ file, theme, width }))
        : (['light', 'dark'] as const).flatMap((theme) =>
            widths
              .filter((width) => only === undefined || width === only)
              .map((width) => ({ file: `${name}-${theme}-${width}`, theme, width })),
          )
    if (names.length > 0 && !names.includes(name)) continue
    // Phones have a touch screen and show no keyboard shortcuts.
    for (const hasTouch of [false, true]) {
      const pictures = wanted.filter(({ width }) => (width === 390) === hasTouch)
      if (pictures.length === 0) continue
      const key = `${as} ${hasTouch}`
      const page = pages.get(key) ?? (await openAs(browser, demo, as, { hasTouch }))
      pages.set(key, page)
      await takeState(page, demo, state, pictures)
    }
  }
}

interface Picture {
  file: string
  theme: Theme
  width: Width
}

async function takeState(page: Page, demo: DemoConsole, state: State, pictures: Picture[]): Promise<void> {
  const { name, as, act } = state
  const width = pictures[0]?.width ?? 1440
  // Only the specification's catalogue, which mixes languages, has the specification's texts of the start.
  if (as !== undefined)
    await page.evaluate(`localStorage.setItem('pult.locale', '${name === 'boot' ? 'de' : 'en'}')`)
  try {
    await page.setViewportSize({ width, height: heights[width] })
    await arrive(page, state, demo.url)
    await settle(page)
    await act?.(page, demo)
    await page.waitForTimeout(700)
    for (const picture of pictures) await shoot(page, picture.file, picture.theme, picture.width)
    console.log(name)
  } catch (error) {
    process.exitCode = 1
    console.error(`${name}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
  } finally {
    await leave(page)
  }
}

/**
 * Takes the new installation and the states of a card: one picture each for docs/screens, all variants with a folder.
 */
async function takeOthers(browser: Browser): Promise<void> {
  const isWanted = (name: string) => names.length === 0 || names.includes(name)
  if (newStates.some(isWanted)) {
    await takeNew(browser, port + 1, async (page, state) => {
      if (!isWanted(state)) return
      if (folderName === undefined) return shoot(page, state, 'light', 1440)
      for (const theme of ['light', 'dark'] as const)
        for (const width of widths) await shoot(page, `${state}-${theme}-${width}`, theme, width)
    })
  }
  if (isWanted('card-states')) await withCards(browser, port + 2, (picture) => keep(picture, 'card-states'))
}

const demo = await serveDemo(port)
const life = await addDemoLife({ ...demo, isWhole: true })
process.on('exit', () => life.stop())
await addPastValues(demo.db)
await untilAlive(demo)
const browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumFlags })
try {
  await takeAll(browser, demo)
  await takeOthers(browser)
} finally {
  await browser.close()
  // Stops the server and this process.
  process.kill(process.pid, 'SIGTERM')
}
