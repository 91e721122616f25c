import { join } from 'node:path'
import { expect, test } from 'vitest'
import { wordsOfProject } from './project-words.ts'
import { inspectWords } from './words.ts'

const wordsIn = (text: string, path = 'apps/a.ts') =>
  inspectWords({ path, text }, []).map(({ line, message }) => `${line} ${message.split(':')[0]}`)

test.each([
  ['a pronoun for a role', '// Signs somebody out.', ['1 "somebody"']],
  ['a part of a name in camel case', 'const isToldAnew = true', ['1 "told"', '1 "anew"']],
  ['a phrase over two lines of a comment', '/**\n * Writes both at\n * once.\n */', ['2 "at once"']],
  ['several words of one line', 'says whatever', ['1 "says"', '1 "whatever"']],
])('the word check finds %s', (_, text, found) => {
  expect(wordsIn(text)).toEqual(found)
})

test('the word check finds American spellings in documents and accepts them in code', () => {
  expect(wordsIn('The behavior of it', 'docs/a.md')).toEqual(['1 "behavior"'])
  expect(wordsIn("scrollTo({ behavior: 'smooth' })")).toEqual([])
})

test.each(['const assay = essays', 'a backdoor', 'isAtOnce = goOnline', 'the hearth', 'Mendelevium'])(
  'the word check accepts %s',
  (text) => {
    expect(wordsIn(text)).toEqual([])
  },
)

test('an exception permits its text in its files only', () => {
  const exceptions = [{ path: /^apps\/server\//, text: 'heard_at' }]
  expect(inspectWords({ path: 'apps/server/a.ts', text: 'row.heard_at' }, exceptions)).toEqual([])
  expect(inspectWords({ path: 'apps/console/a.ts', text: 'row.heard_at' }, exceptions)).toHaveLength(1)
  expect(inspectWords({ path: 'apps/server/a.ts', text: 'row.heard_by' }, exceptions)).toHaveLength(1)
})

test('no file of the project contains a forbidden word', () => {
  const { problems, files } = wordsOfProject(join(import.meta.dirname, '../..'))
  expect(problems.map(({ path, line, message }) => `${path}:${line} ${message}`)).toEqual([])
  expect(files).toBeGreaterThan(1500)
})
