// npm test [-- vitest's arguments]: the static checks, each counted as one test, then every test. With arguments only
// the selected tests.
//   npm test -- changed   checks and tests the files that differ from main
//   npm test -- complete  everything, then the long proofs at full length
//   npm run test:long     the long proofs at full length
// The last line is `N passed, N failed`, with `, N skipped` if tests were skipped.
import { execFileSync } from 'node:child_process'
import { findBrowser } from './browser.ts'
import { changedFiles, changedTests } from './changed-tests.ts'
import { unknownIds } from './requirements/ids.ts'
import { readResults, type Tally } from './requirements/results.ts'
import { readRows } from './requirements/rows.ts'
import { root, runStep, staticSteps, stepsFor } from './steps.ts'
import { addTallies, needsConsole, oneFailure, onePass, printOutcome, runVitest } from './test-run.ts'

const start = performance.now()
const args = process.argv.slice(2)
const [mode, ...more] = args
const tallies: Tally[] = []

if (mode === 'changed') {
  tallies.push(...(await Promise.all(stepsFor(changedFiles()).map(check))))
  const files = changedTests()
  if (files.length > 0) tallies.push(await runTests([...files, ...more]))
} else if (mode === 'long') {
  tallies.push(await runLongTests(more))
} else {
  const isWhole = args.length === 0 || mode === 'complete'
  if (isWhole) for (const step of staticSteps) tallies.push(await check(step))
  tallies.push(await runTests(isWhole ? more : args))
  if (isWhole) tallies.push(checkTitles())
  if (mode === 'complete') tallies.push(await runLongTests(more))
}
console.log(`Total ${Math.round((performance.now() - start) / 1000)} s`)
printOutcome(addTallies(tallies))

/** Runs the tests tagged `long` at full length. A run of more than eight minutes fails. */
function runLongTests(selected: string[]): Promise<Tally> {
  const env = { ...process.env, PULT_TEST_LENGTH: 'full' }
  // vitest would import every file of the repository to find out which have such a test.
  const files = selected.length > 0 ? selected : filesWithLongTests()
  return runTests([...files, '--tags-filter=long'], env, 8 * 60_000)
}

function filesWithLongTests(): string[] {
  return execFileSync('git', ['grep', '-l', '-F', "tags: ['long'", '--', '*.test.ts'], {
    cwd: root,
    encoding: 'utf8',
  })
    .trim()
    .split('\n')
}

async function runTests(selected: string[], env = process.env, limit?: number): Promise<Tally> {
  if (!needsConsole(selected)) return runVitest(selected, env, limit)
  try {
    const { buildConsole } = await import('./build-console.ts')
    const { buildEdgeAgent } = await import('./build-edge-agent.ts')
    const { buildExtensions } = await import('./build-extensions.ts')
    const [browser] = await Promise.all([
      findBrowser(),
      buildConsole().then(buildExtensions).then(buildEdgeAgent),
    ])
    // The build of the console sets NODE_ENV to production, in which React has no test functions.
    return await runVitest(selected, { ...env, NODE_ENV: 'test', CHROME_PATH: browser }, limit)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.log(`${reason}\nWithout a browser and a built console only the unit tests run.`)
    return addTallies([oneFailure(reason), await runVitest([...selected, '--project', 'unit'], process.env)])
  }
}

function checkTitles(): Tally {
  const titles = (readResults(root) ?? []).map((test) => test.title)
  const unknown = unknownIds(titles, readRows())
  return unknown.length === 0
    ? onePass
    : oneFailure(`Titles name ids that no row of docs/requirements has: ${unknown.join(', ')}`)
}

async function check(step: (typeof staticSteps)[number]): Promise<Tally> {
  return (await runStep(step)) ? onePass : oneFailure(`the static check of ${step.name}`)
}
