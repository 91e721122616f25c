// npm test [-- vitest's arguments]: the static checks, each counted as one test, then every test. With arguments only
// the tests they select. Files that fail run again alone; what passes only then is listed as unsteady. The last line is
// `N passed, N failed`, with `, N skipped` when there are any.
import { browserVersion, findBrowser } from './browser.ts'
import { unknownIds } from './requirements/ids.ts'
import { readResults, type Tally } from './requirements/results.ts'
import { readRows } from './requirements/rows.ts'
import { root, runStep, staticSteps } from './steps.ts'
import {
  addTallies,
  needsConsole,
  oneFailure,
  printOutcome,
  runTests,
  type TestRunResult,
} from './test-run.ts'

const args = process.argv.slice(2)
const tallies: Tally[] = []

const browser = needsConsole(args) ? await chooseBrowser() : null
if (args.length === 0) {
  for (const step of staticSteps) tallies.push(tallyOfCheck(await runStep(step)))
}
const { tally, unsteady } = await runSelectedTests()
tallies.push(tally)
if (args.length === 0) tallies.push(tallyOfCheck(titlesNameKnownRows()))
printOutcome({ tally: addTallies(tallies), unsteady })

/** Returns the reason instead when there is no browser. */
async function chooseBrowser(): Promise<string | Error> {
  try {
    const path = await findBrowser()
    console.log(`Browser: ${await browserVersion(path)} (${path})`)
    return path
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function runSelectedTests(): Promise<TestRunResult> {
  if (browser === null) return runTests({ args, env: process.env })
  try {
    if (browser instanceof Error) throw browser
    const { buildConsole } = await import('./build-console.ts')
    const { buildEdgeAgent } = await import('./build-edge-agent.ts')
    const { buildExtensions } = await import('./build-extensions.ts')
    await buildConsole().then(buildExtensions).then(buildEdgeAgent)
    // Who builds the console in this process leaves it set for production, where React has no means of testing.
    return await runTests({ args, env: { ...process.env, NODE_ENV: 'test', CHROME_PATH: browser } })
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
    console.log('Without a browser and a built console only the unit tests run.')
    const units = await runTests({ args: [...args, '--project', 'unit'], env: process.env })
    return { ...units, tally: addTallies([oneFailure, units.tally]) }
  }
}

function titlesNameKnownRows(): boolean {
  const titles = (readResults(root) ?? []).map((test) => test.title)
  const unknown = unknownIds(titles, readRows())
  if (unknown.length > 0)
    console.log(`Titles name ids that no row of docs/requirements has: ${unknown.join(', ')}`)
  return unknown.length === 0
}

function tallyOfCheck(ok: boolean): Tally {
  return ok ? { passed: 1, failed: 0, skipped: 0 } : oneFailure
}
