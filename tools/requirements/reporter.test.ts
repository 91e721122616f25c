import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { root } from '../steps.ts'
import { readResults, readRun, runFileVariable, tallyOf } from './results.ts'

let folder: string
let runFile: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pult-reporter-test-'))
  runFile = join(folder, 'run.json')
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function runTests(files: Record<string, string>, ...args: string[]) {
  for (const [file, body] of Object.entries(files)) {
    writeFileSync(join(folder, file), `import { beforeAll, describe, expect, test } from 'vitest'\n${body}\n`)
  }
  const reporter = `--reporter=${join(import.meta.dirname, 'reporter.ts')}`
  spawnSync(join(root, 'node_modules/.bin/vitest'), ['run', '--root', folder, reporter, ...args], {
    cwd: folder,
    env: { ...process.env, [runFileVariable]: runFile },
  })
  const run = readRun(runFile)
  if (!run) throw new Error('The reporter wrote no results')
  return run
}

test('the reporter records passed, failed and skipped tests with the ids of their full titles', () => {
  const run = runTests({
    'some.test.ts': `
      describe('LOGIN-04 password', () => test('RULE-07 counts', () => expect(1).toBe(1)))
      test('fails', () => expect(1).toBe(2))
      test.skip('waits', () => expect(1).toBe(1))`,
  })
  expect(run.tests.map(({ error }) => error)).toEqual([
    undefined,
    'expected 1 to be 2 // Object.is equality',
    undefined,
  ])
  expect(run.tests.map(({ file, title, ids, state }) => ({ file, title, ids, state }))).toEqual([
    {
      file: 'some.test.ts',
      title: 'LOGIN-04 password > RULE-07 counts',
      ids: ['LOGIN-04', 'RULE-07'],
      state: 'passed',
    },
    { file: 'some.test.ts', title: 'fails', ids: [], state: 'failed' },
    { file: 'some.test.ts', title: 'waits', ids: [], state: 'skipped' },
  ])
})

test('the reporter counts errors outside of tests: imports, hooks and uncaught errors', () => {
  const run = runTests({
    'import.test.ts': `import './nowhere.ts'`,
    'hook.test.ts': `
      describe('RULE-09 group', () => {
        beforeAll(() => { throw new Error('no database') })
        test('never runs', () => expect(1).toBe(1))
      })`,
    'stray.test.ts': `
      test('passes', async () => {
        setTimeout(() => { throw new Error('too late') }, 1)
        await new Promise((resolve) => setTimeout(resolve, 50))
        expect(1).toBe(1)
      })`,
  })
  expect(
    run.tests
      .filter(({ state }) => state === 'failed')
      .map(({ title }) => title)
      .toSorted(),
  ).toEqual([
    'RULE-09 group (outside its tests)',
    'import.test.ts (outside its tests)',
    'stray.test.ts (outside its tests)',
  ])
  expect(run.unhandledErrors).toEqual([])
  expect(tallyOf(run)).toMatchObject({ passed: 1, failed: 3, skipped: 1 })
})

test('a crash of a worker fails its file and the unfinished tests', () => {
  const run = runTests({
    'crash.test.ts': `
      test('before', () => expect(1).toBe(1))
      test('crashes', async () => {
        process.kill(process.pid, 'SIGKILL')
        await new Promise(() => {})
      })`,
  })
  expect(run.tests.map(({ title, state }) => [title, state])).toEqual([
    // Depending on when the worker ends, vitest has received the result of the previous test or not.
    ...run.tests.filter(({ title }) => title === 'before').map(({ title, state }) => [title, state]),
    ...run.tests.filter(({ title }) => title === 'crashes').map(({ title }) => [title, 'failed']),
    ['crash.test.ts (outside its tests)', 'failed'],
  ])
  expect(run.tests.at(-1)?.error).toContain('SIGKILL')
  expect(run.unhandledErrors).toEqual([])
})

test('a run with a name pattern keeps the earlier results of the other tests', () => {
  const file = { 'two.test.ts': `test('one', () => expect(1).toBe(1)); test('two', () => expect(1).toBe(2))` }
  runTests(file)
  const run = runTests(file, '-t', 'one')
  expect(tallyOf(run)).toMatchObject({ passed: 1, failed: 0, skipped: 0 })
  expect(readResults(folder)?.map(({ title, state }) => [title, state])).toEqual([
    ['two', 'failed'],
    ['one', 'passed'],
  ])
})
