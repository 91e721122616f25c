import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { idsIn } from './ids.ts'
import { runFileVariable, type TestOutcome, writeRun } from './results.ts'

/** A vitest reporter that records what every test ended with, for `npm test` and `npm run requirements`. */
export default function createResultsReporter(): Reporter {
  let vitest: Vitest
  return {
    onInit(context) {
      vitest = context
    },
    onTestRunEnd(modules, unhandledErrors) {
      const onlySomeTests = Boolean(vitest.config.testNamePattern)
      const tests = modules
        .flatMap(outcomesOf)
        // Under a name pattern vitest calls every other test skipped.
        .filter((test) => !onlySomeTests || test.state !== 'skipped')
      writeRun(
        vitest.config.root,
        { tests, unhandledErrors: unhandledErrors.map((error) => error.message) },
        { onlySomeTests, runFile: process.env[runFileVariable] },
      )
    },
  }
}

function outcomesOf(module: TestModule): TestOutcome[] {
  return [
    ...[...module.children.allTests()].map(testOutcome),
    // An error while a file is imported, or in beforeAll and afterAll, belongs to no test and must still count.
    ...(module.errors().length > 0 ? [brokenOutcome(module, module.relativeModuleId)] : []),
    ...[...module.children.allSuites()]
      .filter((suite) => suite.errors().length > 0)
      .map((suite) => brokenOutcome(module, suite.fullName)),
  ]
}

function testOutcome(test: TestCase): TestOutcome {
  const { state } = test.result()
  return {
    ...originOf(test.module, test.fullName),
    // A test that is still pending when the run ends was cut off.
    state: state === 'pending' ? 'failed' : state,
    milliseconds: Math.round(test.diagnostic()?.duration ?? 0),
    ...(test.diagnostic()?.flaky && {
      failedFirst: test.result().errors?.[0]?.message ?? 'for no known reason',
    }),
  }
}

function brokenOutcome(module: TestModule, title: string): TestOutcome {
  return {
    ...originOf(module, `${title} (outside its tests)`),
    state: 'failed',
    milliseconds: 0,
  }
}

function originOf(module: TestModule, title: string) {
  return {
    file: module.relativeModuleId,
    project: module.project.name,
    title,
    ids: idsIn(title),
    finishedAt: new Date().toISOString(),
  }
}
