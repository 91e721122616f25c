// npm test [-- vitest's arguments]: the static checks, each counted as one test, then every test. With arguments only
// the selected tests. Files that fail run again in isolation; a test that passes only then is listed as unsteady.
//   npm test -- changed   checks and tests the files that differ from main
//   npm test -- failed    the files whose latest results contain a failure
//   npm run test:long     the long proofs at full length
// The last line is `N passed, N failed`, with `, N skipped` if tests were skipped.
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { browserVersion, findBrowser } from './browser.ts'
import { changedFiles, changedTests } from './changed-tests.ts'
import { failedFiles, readResults, type Tally } from './requirements/results.ts'
import { root, runStep, staticSteps, stepsFor } from './steps.ts'
import {
  addTallies,
  needsConsole,
  oneFailure,
  onePass,
  printOutcome,
  runTests,
  type TestRunResult,
} from './test-run.ts'

const args = process.argv.slice(2)
const [mode, ...more] = args
rmSync(join(root, 'test-results/pages'), { recursive: true, force: true })
printOutcome(await run())

function run(): Promise<TestRunResult> {
  if (mode === 'changed') return runChanged(more)
  if (mode === 'failed') return runFailed(more)
  if (mode === 'long') return runLong(more)
  return args.length === 0 ? runAll() : runSelected(args, chooseBrowser(args))
}

async function runAll(): Promise<TestRunResult> {
  const browser = await chooseBrowser([])
  const tallies: Tally[] = []
  for (const step of staticSteps) tallies.push(await check(step))
  const { tally, unsteady } = await runSelected([], browser)
  const total = addTallies([...tallies, tally])
  console.log(`Total ${Math.round(performance.now() / 1000)} s`)
  return { tally: total, unsteady }
}

async function runChanged(options: string[]): Promise<TestRunResult> {
  const checks = await Promise.all(stepsFor(changedFiles()).map(check))
  const files = changedTests()
  if (files.length === 0) return { tally: addTallies(checks), unsteady: [] }
  const selected = [...files, ...options]
  const { tally, unsteady } = await runSelected(selected, chooseBrowser(selected))
  return { tally: addTallies([...checks, tally]), unsteady }
}

/** Runs the files again whose latest results contain a failure. */
async function runFailed(options: string[]): Promise<TestRunResult> {
  const files = failedFiles(readResults(root) ?? []).filter((file) => existsSync(join(root, file)))
  if (files.length === 0) {
    console.log('The latest results contain no failure.')
    return { tally: addTallies([]), unsteady: [] }
  }
  const selected = [...files, ...options]
  return runSelected(selected, chooseBrowser(selected))
}

/** Runs the tests tagged `long` at full length. */
function runLong(selected: string[]): Promise<TestRunResult> {
  // Without this list, vitest would import every file of the repository to find these tests.
  const files = selected.length > 0 ? selected : filesWithLongTests()
  const chosen = [...files, '--tags-filter=long']
  return runSelected(chosen, chooseBrowser(chosen), { ...process.env, PULT_TEST_LENGTH: 'full' })
}

function filesWithLongTests(): string[] {
  return execFileSync('git', ['grep', '-l', '-F', "tags: ['long'", '--', '*.test.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
}

/** Prints the browser of the selected tests. Returns null if they need none, and an error if there is none. */
async function chooseBrowser(selected: string[]): Promise<string | Error | null> {
  if (!needsConsole(selected)) return null
  try {
    const path = await findBrowser()
    console.log(`Browser: ${await browserVersion(path)} (${path})`)
    return path
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

async function runSelected(
  selected: string[],
  choice: string | Error | null | Promise<string | Error | null>,
  env = process.env,
): Promise<TestRunResult> {
  const browser = await choice
  if (browser === null) return runTests({ args: selected, env })
  try {
    if (browser instanceof Error) throw browser
    const { buildConsole } = await import('./build-console.ts')
    const { buildEdgeAgent } = await import('./build-edge-agent.ts')
    const { buildExtensions } = await import('./build-extensions.ts')
    await buildConsole().then(buildExtensions).then(buildEdgeAgent)
    // The build of the console sets NODE_ENV to production, in which React has no test functions.
    return await runTests({ args: selected, env: { ...env, NODE_ENV: 'test', CHROME_PATH: browser } })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.log(`${reason}\nOnly the unit tests run without a browser and a built console.`)
    const units = await runTests({ args: [...selected, '--project', 'unit'], env: process.env })
    return { ...units, tally: addTallies([oneFailure(reason), units.tally]) }
  }
}

async function check(step: (typeof staticSteps)[number]): Promise<Tally> {
  return (await runStep(step)) ? onePass : oneFailure(`the static check of ${step.name}`)
}
