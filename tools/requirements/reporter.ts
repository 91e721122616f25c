import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node'
import { idsIn } from './ids.ts'
import { runFileVariable, type TestOutcome, writeRun } from './results.ts'

/** Creates a vitest reporter that records the outcome of every test, for `npm test` and `npm run requirements`. */
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
          // With a name pattern, vitest reports every other test as skipped.
          tests: tests.filter((test) => !onlySomeTests || test.state !== 'skipped'),
          // A worker that ends early is an error outside all files, but leaves its file unfinished.
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
    // An error of an import, beforeAll or afterAll belongs to no test, but must count.
    ...module.errors().map((error) => brokenOutcome(module, module.relativeModuleId, error.message)),
    ...[...module.children.allSuites()].flatMap((suite) =>
      suite.errors().map((error) => brokenOutcome(module, suite.fullName, error.message)),
    ),
  ]
}

function testOutcome(test: TestCase): TestOutcome {
  const result = test.result()
  // A test that is pending at the end of the run was interrupted.
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

/** Returns the message with its cause, because the pool wraps the reason why a worker ended. */
const messageOf = ({ message, cause }: SerializedError) =>
  cause === undefined ? message : `${message}\n${cause.message}`

/** Shortens a message for a list of failures and removes its colours. */
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
