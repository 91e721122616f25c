import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readResults, type TestOutcome } from './requirements/results.ts'
import { mostFailingFiles, retryFailedFiles } from './retries.ts'
import { root } from './steps.ts'

describe('the judgement of attempts', () => {
  const outcome = (
    state: TestOutcome['state'],
    title = 'a',
    more: Partial<TestOutcome> = {},
  ): TestOutcome => ({
    file: 'a.test.ts',
    project: 'unit',
    title,
    ids: [],
    state,
    milliseconds: 1,
    finishedAt: '',
    ...(state === 'failed' && { error: 'it broke' }),
    ...more,
  })
  const broken = outcome('failed', 'a.test.ts (outside its tests)', { outsideOfTests: true })

  /** Runs the retries with the outcomes of the first run and of each further attempt. */
  async function retry(first: TestOutcome[], ...further: TestOutcome[][]) {
    const attempts: number[] = []
    const { tests, unsteady, remark } = await retryFailedFiles(first, {
      isTooLate: () => false,
      runAgain: (_file, attempt) => {
        attempts.push(attempt)
        return Promise.resolve(further[attempt - 2] ?? [])
      },
    })
    return { attempts, unsteady, remark, states: tests.map(({ title, state }) => [title, state]) }
  }

  test('a run without failures has no retries', async () => {
    expect(await retry([outcome('passed'), outcome('skipped', 'b')])).toEqual({
      attempts: [],
      unsteady: [],
      remark: undefined,
      states: [
        ['a', 'passed'],
        ['b', 'skipped'],
      ],
    })
  })

  test('a test that fails three times has failed', async () => {
    const failed = [outcome('failed')]
    expect(await retry(failed, failed, failed)).toMatchObject({
      attempts: [2, 3],
      unsteady: [],
      states: [['a', 'failed']],
    })
  })

  test('a repeat that could not start has failed, unless a later attempt starts', async () => {
    const failed = [outcome('failed')]
    expect(await retry(failed, [broken], [broken])).toMatchObject({
      attempts: [2, 3],
      unsteady: [],
      states: [
        ['a', 'failed'],
        ['a.test.ts (outside its tests)', 'failed'],
      ],
    })
    expect(await retry(failed, [broken], [outcome('passed')])).toMatchObject({
      unsteady: [
        { title: 'a', passedOn: 3 },
        { title: 'a.test.ts (outside its tests)', passedOn: 3 },
      ],
      states: [['a', 'passed']],
    })
  })

  test('a test that passes on the third attempt is unsteady', async () => {
    expect(await retry([outcome('failed')], [outcome('failed')], [outcome('passed')])).toMatchObject({
      unsteady: [{ file: 'a.test.ts', title: 'a', error: 'it broke', passedOn: 3 }],
      states: [['a', 'passed']],
    })
  })

  test('tests that fail alternately are unsteady, and each of them counts once', async () => {
    const first = [outcome('failed', 'a'), outcome('passed', 'b')]
    const second = [outcome('passed', 'a'), outcome('failed', 'b')]
    expect(await retry(first, second)).toMatchObject({
      attempts: [2],
      unsteady: [
        { title: 'a', passedOn: 2 },
        { title: 'b', passedOn: 1 },
      ],
      states: [
        ['a', 'passed'],
        ['b', 'passed'],
      ],
    })
  })

  test('two tests with the same title are judged separately', async () => {
    const attempt = [outcome('passed'), outcome('failed')]
    expect(await retry(attempt, attempt, attempt)).toMatchObject({
      states: [
        ['a', 'passed'],
        ['a', 'failed'],
      ],
    })
  })

  test('a file whose import fails, then a hook, then the import again, has failed', async () => {
    const hook = { ...broken, title: 'suite (outside its tests)' }
    expect(await retry([broken], [outcome('skipped'), hook], [broken])).toMatchObject({
      unsteady: [],
      states: [
        ['a', 'skipped'],
        ['a.test.ts (outside its tests)', 'failed'],
      ],
    })
  })

  test('a test that failed and is skipped later has failed', async () => {
    expect(await retry([outcome('failed')], [outcome('skipped')], [outcome('skipped')])).toMatchObject({
      states: [['a', 'failed']],
    })
  })

  test('an attempt without any outcome clears nothing', async () => {
    expect((await retry([outcome('failed')], [], [])).states).toEqual([['a', 'failed']])
  })

  test('more than 25 failed files have no retries', async () => {
    const failing = (count: number) =>
      Array.from({ length: count }, (_, index) => outcome('failed', 'a', { file: `${index}.test.ts` }))
    const { attempts, remark } = await retry(failing(mostFailingFiles + 1))
    expect(attempts).toEqual([])
    expect(remark).toBe('26 files failed: too many to run them again')
    expect((await retry(failing(mostFailingFiles))).attempts).toHaveLength(2 * mostFailingFiles)
  })

  test('no attempt begins too late', async () => {
    const later = [false, true]
    const { tests, unsteady, remark } = await retryFailedFiles([outcome('failed')], {
      isTooLate: () => later.shift() ?? true,
      runAgain: () => Promise.resolve([outcome('failed')]),
    })
    expect(tests.map(({ state }) => state)).toEqual(['failed'])
    expect(unsteady).toEqual([])
    expect(remark).toMatch(/too long/)
  })
})

describe('real runs', { timeout: 300_000 }, () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'pult-retries-test-'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(folder, 'vitest.config.ts'),
      `export default { test: { maxWorkers: 2, reporters: ['default', '${join(root, 'tools/requirements/reporter.ts')}'] } }`,
    )
    writeFileSync(
      join(folder, 'run.ts'),
      `import { printOutcome, runTests } from '${join(root, 'tools/test-run.ts')}'
      const folder = import.meta.dirname
      printOutcome(await runTests({ args: process.argv.slice(2), env: process.env, folder }), folder)`,
    )
  })

  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  /** Files may use `nth`, which counts the attempts of the file. */
  function run(files: Record<string, string>, ...args: string[]) {
    for (const [name, body] of Object.entries(files)) {
      writeFileSync(
        join(folder, `${name}.test.ts`),
        `import { appendFileSync, readFileSync } from 'node:fs'
        import { beforeAll, describe, expect, test } from 'vitest'
        const attempts = import.meta.filename + '.attempts'
        appendFileSync(attempts, '.')
        const nth = readFileSync(attempts, 'utf8').length
        ${body}`,
      )
    }
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'run.ts'), ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
    const lines = stripVTControlCharacters(stdout).trimEnd().split('\n')
    return { status, lines, output: stdout + stderr }
  }

  const attemptsOf = (name: string) => {
    const file = join(folder, `${name}.test.ts.attempts`)
    return existsSync(file) ? readFileSync(file, 'utf8').length : 0
  }
  const unsteady = (): unknown => JSON.parse(readFileSync(join(folder, 'test-results/unsteady.json'), 'utf8'))

  /** Files that fail while `condition` is true. */
  const breaking = (condition: string) => ({
    assertion: `test('asserts', () => expect(${condition}).toBe(false))`,
    crash: `
      test('crashes', async () => {
        if (!(${condition})) return
        process.kill(process.pid, 'SIGKILL')
        await new Promise(() => {})
      })`,
    hook: `
      describe('suite', () => {
        beforeAll(() => { if (${condition}) throw new Error('no database') })
        test('needs the hook', () => {})
      })`,
    import: `
      if (${condition}) await import('./nowhere.ts')
      test('needs the import', () => {})`,
    stray: `
      test('leaves a timer', async () => {
        if (${condition}) setTimeout(() => { throw new Error('too late') }, 1)
        await new Promise((resolve) => setTimeout(resolve, 50))
      })`,
  })
  const kinds = Object.keys(breaking(''))

  test('tests that fail only on the first attempt are unsteady, and the run is green', () => {
    const { status, lines, output } = run({ ...breaking('nth === 1'), steady: `test('passes', () => {})` })
    expect(lines.at(-1), output).toBe('6 passed, 0 failed')
    expect(status).toBe(0)
    // Depending on when the worker ends, vitest has received the start of the crashing test or not.
    const heading = lines.findIndex((line) => /^Unsteady: [56]$/.test(line))
    expect(heading).toBeGreaterThan(lines.findLastIndex((line) => /^Running .* again/.test(line)))
    expect(lines).toContain('  assertion.test.ts > asserts: passed on attempt 2 of 3')
    expect(kinds.map(attemptsOf)).toEqual([2, 2, 2, 2, 2])
    expect(attemptsOf('steady')).toBe(1)
    expect(unsteady()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ file: 'assertion.test.ts', title: 'asserts', passedOn: 2 }),
        expect.objectContaining({ file: 'crash.test.ts', error: expect.stringContaining('SIGKILL') }),
        expect.objectContaining({ file: 'hook.test.ts', error: expect.stringContaining('no database') }),
        expect.objectContaining({ file: 'import.test.ts', error: expect.stringContaining('nowhere') }),
        expect.objectContaining({ file: 'stray.test.ts', error: 'too late' }),
      ]),
    )
    expect(readResults(folder)?.map(({ state }) => state)).toEqual(Array(6).fill('passed'))
  })

  test('tests that fail on every attempt are red', () => {
    const { status, lines, output } = run({ ...breaking('true'), steady: `test('passes', () => {})` })
    expect(status).toBe(1)
    expect(kinds.map(attemptsOf), output).toEqual([3, 3, 3, 3, 3])
    expect(attemptsOf('steady')).toBe(1)
    expect(lines.join('\n')).not.toContain('Unsteady')
    expect(unsteady()).toEqual([])
    const failed = readResults(folder)?.filter(({ state }) => state === 'failed')
    expect(new Set(failed?.map(({ file }) => file))).toEqual(new Set(kinds.map((kind) => `${kind}.test.ts`)))
    expect(lines.at(-1)).toMatch(/^2 passed, [56] failed, 1 skipped$/)
  })

  test('a retry keeps the options of the run', () => {
    const two = `test('one', () => expect(nth).toBe(2)); test('two', () => expect(nth).toBe(0))`
    const { lines, output } = run({ two }, 'two', '-t', 'one')
    expect(lines.at(-1), output).toBe('1 passed, 0 failed')
    expect(attemptsOf('two')).toBe(2)
  })

  test('26 failing files are red without retries', () => {
    const names = Array.from({ length: 26 }, (_, index) => `broken-${index}`)
    const { status, lines, output } = run(
      Object.fromEntries(names.map((name) => [name, `test('fails', () => expect(nth).toBe(2))`])),
    )
    expect(lines.at(-1), output).toBe('0 passed, 26 failed')
    expect(status).toBe(1)
    expect(lines).toContain('26 files failed: too many to run them again')
    expect(new Set(names.map(attemptsOf))).toEqual(new Set([1]))
  })
})
