import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import { idsIn } from './ids.ts'
import { runFileVariable, type TestOutcome, writeRun } from './results.ts'

/** A vitest reporter that records the outcome of every test, for `npm test` and `npm run requirements`. */
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
        // With a name pattern, vitest reports every other test as skipped.
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
    // An error in an import, beforeAll or afterAll belongs to no test but must still count.
    ...(module.errors().length > 0 ? [brokenOutcome(module, module.relativeModuleId, module.errors())] : []),
    ...[...module.children.allSuites()]
      .filter((suite) => suite.errors().length > 0)
      .map((suite) => brokenOutcome(module, suite.fullName, suite.errors())),
  ]
}

function testOutcome(test: TestCase): TestOutcome {
  const { state, errors } = test.result()
  return {
    ...originOf(test.module, test.fullName),
    // A test that is still pending when the run ends was interrupted.
    state: state === 'pending' ? 'failed' : state,
    milliseconds: Math.round(test.diagnostic()?.duration ?? 0),
    ...(errors?.[0] && { error: firstLines(errors[0].message) }),
  }
}

function brokenOutcome(
  module: TestModule,
  title: string,
  errors: readonly { message: string }[],
): TestOutcome {
  return {
    ...originOf(module, `${title} (outside its tests)`),
    state: 'failed',
    milliseconds: 0,
    ...(errors[0] && { error: firstLines(errors[0].message) }),
  }
}

/** A message without colours, short enough for a list of failures. */
function firstLines(message: string): string {
  return stripVTControlCharacters(message).split('\n').slice(0, 4).join(' / ').slice(0, 400)
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
