// npm test [-- vitest's arguments]: the static checks, each counted as one test, then every test. With arguments only
// the tests they select. The last line is `N passed, N failed`, with `, N skipped` when there are any.
import { findBrowser } from './browser.ts'
import { unknownIds } from './requirements/ids.ts'
import { readResults, type Tally } from './requirements/results.ts'
import { readRows } from './requirements/rows.ts'
import { root, runStep, staticSteps } from './steps.ts'
import { addTallies, needsConsole, oneFailure, printOutcome, runVitest } from './test-run.ts'

const args = process.argv.slice(2)
const tallies: Tally[] = []

if (args.length === 0) {
  for (const step of staticSteps) tallies.push(tallyOfCheck(await runStep(step)))
}
tallies.push(await runTests())
if (args.length === 0) tallies.push(tallyOfCheck(titlesNameKnownRows()))
printOutcome(addTallies(tallies))

async function runTests(): Promise<Tally> {
  if (!needsConsole(args)) return runVitest(args, process.env)
  try {
    const { buildConsole } = await import('./build-console.ts')
    const { buildEdgeAgent } = await import('./build-edge-agent.ts')
    const { buildExtensions } = await import('./build-extensions.ts')
    const [browser] = await Promise.all([
      findBrowser(),
      buildConsole().then(buildExtensions).then(buildEdgeAgent),
    ])
    // Who builds the console in this process leaves it set for production, where React has no means of testing.
    return await runVitest(args, { ...process.env, NODE_ENV: 'test', CHROME_PATH: browser })
  } catch (error) {
    console.log(error instanceof Error ? error.message : error)
    console.log('Without a browser and a built console only the unit tests run.')
    return addTallies([oneFailure, await runVitest([...args, '--project', 'unit'], process.env)])
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
