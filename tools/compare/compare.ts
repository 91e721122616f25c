import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium } from 'playwright-core'
import { freePort, stopAll } from '../../bench/processes.ts'
import { chromiumFlags, findBrowser } from '../browser.ts'
import { states } from '../screenshots/states.ts'
import { checkOut, commitOf, compareFolder } from './checkouts.ts'
import { markdownOf, type Report, summaryOf } from './differences.ts'
import { compareConsole, observeConsole, record, type Scope } from './passes.ts'
import { type Theme, themes, type Width, widths } from './visits.ts'

const usage = `npm run compare -- BEFORE [AFTER] [--only=NAME,NAME] [--widths=360,1200] [--quick]

Compares the console of two commits, with the same replies of the API: pictures, accessibility trees,
focus orders and the requests of the first minute. AFTER is HEAD by default. Writes data/compare/differences.md, and
exits with 1 if anything differs.

--only     states of tools/screenshots, by name
--widths   some of ${widths.join(', ')}
--quick    twelve states in two widths, in the light theme`

const quickStates = [
  'login-methods',
  'home',
  'tasks-panel',
  'projects',
  'account-emails',
  'settings-appearance',
  'project-details-people',
  'media',
  'edge',
  'note-delete',
  'extensions',
  'audit',
]
const quickWidths: readonly Width[] = [360, 1200]

function readArguments(): Scope & { before: string; after: string } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { only: { type: 'string' }, widths: { type: 'string' }, quick: { type: 'boolean' } },
  })
  const [before, after = 'HEAD', ...more] = positionals
  if (before === undefined || more.length > 0) throw new Error(usage)
  const isQuick = values.quick === true
  const names = values.only?.split(',') ?? (isQuick ? quickStates : states.map(({ name }) => name))
  const unknown = names.find((name) => !states.some((state) => state.name === name))
  if (unknown !== undefined) throw new Error(`There is no state "${unknown}"`)
  const chosen = values.widths?.split(',').map(Number) ?? (isQuick ? quickWidths : widths)
  return {
    before,
    after,
    states: states.filter(({ name }) => names.includes(name)),
    widths: widths.filter((width) => chosen.includes(width)),
    themes: isQuick ? ['light'] : (Object.keys(themes) as Theme[]),
  }
}

const begin = performance.now()
const print = (line: string) => console.log(`${((performance.now() - begin) / 1000).toFixed(0)} s: ${line}`)

async function compare(): Promise<void> {
  const scope = readArguments()
  const [before, after] = [await commitOf(scope.before), await commitOf(scope.after)]
  const dataFolder = join(compareFolder, 'data')
  // Those of an earlier comparison.
  await rm(dataFolder, { recursive: true, force: true })
  for (const name of ['before', 'after', 'diff']) {
    await rm(join(compareFolder, name), { recursive: true, force: true })
    await mkdir(join(compareFolder, name), { recursive: true })
  }
  const folders = { before: await checkOut(before), after: await checkOut(after) }
  const [port, frontPort] = [await freePort(), await freePort()]
  const place = { dataFolder, port, frontPort, url: `http://localhost:${frontPort}` }
  const browser = await chromium.launch({ executablePath: await findBrowser(), args: chromiumFlags })
  try {
    print(`recording ${scope.states.length} states of ${before}`)
    const recorded = await record(folders.before, place, browser, scope)
    print(`observing them with the recorded replies`)
    const observed = await observeConsole(folders.before, recorded)
    print(`comparing them with ${after}`)
    const result = await compareConsole(folders.after, recorded, observed)
    const report: Report = { before, after, ...result, notes: recorded.notes }
    await writeFile(join(compareFolder, 'differences.md'), markdownOf(report))
    for (const line of summaryOf(report)) print(line)
    print(`${report.notes.length} notes; details: data/compare/differences.md`)
    if (report.differences.length > 0) process.exitCode = 1
  } finally {
    await browser.close()
    await stopAll({ forGood: true })
  }
}

for (const name of ['SIGINT', 'SIGTERM'] as const)
  process.once(name, () => void stopAll({ forGood: true }).then(() => process.exit(1)))
try {
  await compare()
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
}
