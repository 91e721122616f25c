import { type ChildProcess, spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { type Block, blocksOf, follow, plainEnvironment } from '../../e2e/author/document.ts'
import { chromiumFlags, findBrowser } from '../browser.ts'
import { livingProjects } from '../demo/demo-story.ts'
import { root } from '../steps.ts'
import { type DemoConsole, openAs, serveDemo, writeReduced } from './demo-console.ts'

/*
 * npm run screenshots:tutorial: takes the pictures of docs/extensions/tutorial.md. Follows the tutorial as written,
 * in a folder outside of this project, with the demo. Each picture shows the reader's screen at that step.
 */

const port = Number(process.env.PORT ?? 8078)
const servicePort = 9000
const pictures = join(root, 'docs/extensions/pictures')
const owner = livingProjects.festival.owner
const width = 1280

const cues = [
  { label: 'House lights to half', tags: ['house'] },
  { label: 'Overture', tags: ['pit', 'sound'] },
  { label: 'Curtain up', tags: ['fly'] },
  { label: 'Storm over the lake', tags: ['light', 'sound'] },
  { label: 'Blackout', tags: ['light'] },
]

/** @param height of the window, because some pages are short. */
async function shoot(page: Page, name: string, height: number): Promise<void> {
  await page.setViewportSize({ width, height })
  await page.evaluate('document.fonts.ready')
  await page.waitForTimeout(700)
  await writeReduced(await page.screenshot({ animations: 'disabled' }), join(pictures, `${name}.png`))
  console.log(name)
}

const demo = await serveDemo(port)
const home = await mkdtemp(join(tmpdir(), 'pult-tutorial-'))
process.on('exit', () => rmSync(home, { recursive: true, force: true }))
const environment = { ...plainEnvironment(), PULT: root, PULT_URL: demo.url, PULT_DATA: demo.dataFolder }
const browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumFlags })
try {
  await mkdir(pictures, { recursive: true })
  await takeAll(await blocksOf(join(root, 'docs/extensions/tutorial.md')), demo)
} catch (error) {
  process.exitCode = 1
  console.error(error)
} finally {
  await browser.close()
  // Stops the server and this process.
  process.kill(process.pid, 'SIGTERM')
}

async function takeAll(blocks: readonly Block[], { url }: DemoConsole): Promise<void> {
  const isDevelopment = ({ language, mark }: Block) => language === 'sh' && mark === 'dev'
  const half = blocks.findIndex(isDevelopment)
  const begun = await follow(blocks.slice(0, half), home, environment)
  const development = begin(blocks, 'dev', begun.folder)
  const shown = await matchIn(development, /(http:\/\/localhost:\d+)\//)
  const author = await openAs(browser, demo, owner, { locale: 'en-GB', url: shown })
  await startAt(author, `${shown}/`)
  const tile = author.getByRole('list', { name: 'Apps' }).getByRole('link', { name: /^Show control/ })
  await tile.waitFor()
  await shoot(author, 'grid', 640)
  await tile.click()
  await author.getByRole('button', { name: 'Greet' }).click()
  await shoot(author, 'first-tab', 460)
  end(development)

  const { folder } = await follow(blocks.slice(half), begun.folder, environment)
  const serviceUrl = await setServiceAddress(url)
  const page = await openAs(browser, demo, owner, { locale: 'en-GB' })
  const token = await addProduct(page, url)
  const service = begin(blocks, 'start', folder, { PORT: String(servicePort), TASK_TOKEN: token })
  await matchIn(service, new RegExp(serviceUrl))
  try {
    await work(page, url, service)
  } finally {
    end(service)
  }
}

/** Root enters the service's address. */
async function setServiceAddress(url: string): Promise<string> {
  const address = `http://localhost:${servicePort}`
  const page = await openAs(browser, demo, 'rosa', { locale: 'en-GB' })
  await startAt(page, `${url}/app/extensions`)
  await page.getByRole('link', { name: /^Show control/ }).click()
  await page.getByLabel('Address').fill(address)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Address saved').waitFor()
  await startAt(page, page.url())
  await page.getByRole('button', { name: 'Save', exact: true }).scrollIntoViewIfNeeded()
  await shoot(page, 'service', 800)
  return address
}

/** The owner adds the product to the project and creates a token for the service. */
async function addProduct(page: Page, url: string): Promise<string> {
  await startAt(page, `${url}/app/project-details/settings`)
  await page.getByRole('checkbox', { name: /Show control/ }).check()
  await page.getByRole('checkbox', { name: /Show control/ }).scrollIntoViewIfNeeded()
  await shoot(page, 'product', 800)
  const saved = page.waitForResponse((response) => response.request().method() !== 'GET' && response.ok())
  await page.getByRole('button', { name: 'Save' }).click()
  await saved
  await startAt(page, `${url}/app/project-details/tokens`)
  await page.getByLabel('Label').fill('Cue service')
  await page.getByRole('checkbox', { name: 'show-control/rehearsal' }).check()
  await page.getByRole('button', { name: 'Create task token' }).click()
  return page.getByLabel('Task token', { exact: true }).inputValue()
}

async function work(page: Page, url: string, service: ChildProcess): Promise<void> {
  await startAt(page, `${url}/app/show-control/list`)
  for (const item of [
    'Are the fire curtain and the exits clear?',
    'Call the half',
    'Radio check with the fly floor',
  ]) {
    await page.getByLabel('New item').fill(item)
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText(item).waitFor()
  }
  await shoot(page, 'list', 540)
  await page.getByRole('link', { name: 'Cues' }).click()
  for (const { label, tags } of cues) {
    await page.goto(`${url}/app/show-control/cues/create`)
    await page.getByLabel('Label').fill(label)
    for (const tag of tags) {
      await page.getByRole('textbox', { name: 'Tags' }).fill(tag)
      await page.keyboard.press('Enter')
    }
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.waitForURL(/\/edit\//)
  }
  await startAt(page, `${url}/app/show-control/cues`)
  await page.getByRole('link', { name: /^Storm over the lake/ }).click()
  await page.getByLabel('Label').waitFor()
  await shoot(page, 'cues', 760)
  await page.getByRole('button', { name: 'Rehearse' }).click()
  await page.getByText('3 / 5').waitFor()
  // A rehearsal is short, so it is paused for its picture.
  send(service, 'SIGSTOP')
  await shoot(page, 'rehearsal', 760)
  send(service, 'SIGCONT')
}

async function startAt(page: Page, address: string): Promise<void> {
  await page.setViewportSize({ width, height: 800 })
  await page.evaluate("localStorage.setItem('pult.locale', 'en')")
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.goto(address)
  await page.getByRole('main').waitFor()
  await page.waitForLoadState('networkidle')
}

/** Starts the processes that the tutorial leaves running. */
function begin(
  blocks: readonly Block[],
  mark: string,
  cwd: string,
  more: NodeJS.ProcessEnv = {},
): ChildProcess {
  const text = blocks.find((block) => block.language === 'sh' && block.mark === mark)?.text
  if (text === undefined) throw new Error(`The tutorial has no \`sh ${mark}\``)
  const child = spawn('sh', ['-c', text], {
    cwd,
    env: { ...environment, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
    // npm does not forward the signal to its child, so the child is stopped as well.
    detached: true,
  })
  process.on('exit', () => end(child))
  return child
}

function end(child: ChildProcess): void {
  send(child, 'SIGTERM')
}

function send({ pid, exitCode }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined || exitCode !== null) return
  try {
    process.kill(-pid, signal)
  } catch {
    // The process has already exited.
  }
}

/** Resolves with the first match in the output: its first group, or the whole match. */
function matchIn(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((found, failed) => {
    let output = ''
    child.once('exit', () => failed(new Error(`It ended with this output:\n${output}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const match = pattern.exec(output)
      if (match) found(match[1] ?? match[0])
    })
  })
}
