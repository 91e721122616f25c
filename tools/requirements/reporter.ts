import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'
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
      const ofFiles = new Set(modules.map((module) => module.moduleId))
      const ofNoFile = unhandledErrors.filter((error) => !ofFiles.has(pathOf(error))).map(messageOf)
      const cutOff = modules.filter(isCutOff)
      const tests = [
        ...modules.flatMap(outcomesOf),
        ...modules.flatMap((module) =>
          unhandledErrors
            .filter((error) => pathOf(error) === module.moduleId)
            .map((error) => brokenOutcome(module, module.relativeModuleId, messageOf(error))),
        ),
        ...cutOff.map((module) =>
          brokenOutcome(module, module.relativeModuleId, ['It did not finish', ...ofNoFile].join('\n')),
        ),
      ]
      writeRun(
        vitest.config.root,
        {
          // Under a name pattern vitest calls every other test skipped.
          tests: tests.filter((test) => !onlySomeTests || test.state !== 'skipped'),
          // A worker that ends early is an error of no file, but leaves the file that it ran unfinished.
          unhandledErrors: cutOff.length > 0 ? [] : ofNoFile,
          onlySomeTests,
        },
        process.env[runFileVariable],
      )
    },
  }
}

function outcomesOf(module: TestModule): TestOutcome[] {
  return [
    ...[...module.children.allTests()].map(testOutcome),
    // An error while a file is imported, or in beforeAll and afterAll, belongs to no test and must still count.
    ...module.errors().map((error) => brokenOutcome(module, module.relativeModuleId, error.message)),
    ...[...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map((error) => brokenOutcome(module, suite.fullName, error.message)),
    ),
  ]
}

function testOutcome(test: TestCase): TestOutcome {
  const result = test.result()
  // A test that is still pending when the run ends was cut off.
  const state = result.state === 'pending' ? 'failed' : result.state
  return {
    ...originOf(test.module, test.fullName),
    state,
    milliseconds: Math.round(test.diagnostic()?.duration ?? 0),
    ...(state === 'failed' && { error: firstLines(result.errors?.[0]?.message ?? 'It did not finish') }),
  }
}

function brokenOutcome(module: TestModule, title: string, error: string): TestOutcome {
  return {
    ...originOf(module, `${title} (outside its tests)`),
    state: 'failed',
    milliseconds: 0,
    error: firstLines(error),
    outsideOfTests: true,
  }
}

const isCutOff = (module: TestModule) => ['queued', 'pending'].includes(module.state())

const pathOf = (error: SerializedError) => String(error.VITEST_TEST_PATH)

/** The pool wraps the reason for which a worker ended. */
const messageOf = ({ message, cause }: SerializedError) =>
  cause === undefined ? message : `${message}\n${cause.message}`

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
