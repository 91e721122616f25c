import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSearch } from '@pult/contract'
import { expect, test } from 'vitest'
import {
  cleanedName,
  cleanLines,
  codeIn,
  digitsIn,
  longText,
  machineText,
  nameFrom,
  nameText,
  numberIn,
  reportFrom,
  reportText,
  searchText,
  withoutHidden,
} from '../../packages/contract/src/text.ts'
import { writtenFiles } from '../written-files.ts'
import { type Expression, expressionsIn, partsOf, run } from './expressions.ts'
import { growsFast } from './growth.ts'

const root = join(import.meta.dirname, '../..')

/** Programs that read texts of callers, agents, extensions and their files. */
const sources = [
  'packages/contract/src/**/*.ts',
  'apps/server/{src,migrations}/**/*.ts',
  'apps/edge-agent/src/**/*.ts',
]

/** Only these repeat without a limit. */
const unlimited = /[*+]|\{\d+,\}/

/** Returns a text with which an expression takes long: of one kind of its characters, or of a pair with a repeated one. */
function slowText(expression: Expression): string | undefined {
  if (!unlimited.test(expression.source)) return undefined
  const work = run(expression)
  const { all, repeated } = partsOf(expression)
  const pairs = repeated.flatMap((first) => all.map((second) => [first, second] as const))
  const slow =
    all.find((part) => growsFast(work, part)) ??
    pairs.find(([first, second]) => growsFast(work, first, second) || growsFast(work, second + first))
  return slow && JSON.stringify(slow)
}

test('every regular expression of the contract, the server and the agent takes linear time', () => {
  const slow: string[] = []
  for (const path of writtenFiles(root, sources).filter((file) => !/\.test\.ts$|\/testing\//.test(file)))
    for (const expression of expressionsIn(path, readFileSync(join(root, path), 'utf8'))) {
      const text = slowText(expression)
      if (text !== undefined) slow.push(`${path}:${expression.line} ${text}`)
    }
  expect(slow).toEqual([])
})

const marks = ['\u0301', '\u0315\u0301', '\u0315']
const hostile = [
  'a',
  '\u200c',
  '\u180e\u200d',
  'a\u200d',
  '\ufe0f',
  '\u{e0061}',
  '\u0660',
  ' ',
  '"',
  ':',
  ...marks,
]
const reading = {
  cleanLines,
  codeIn,
  digitsIn,
  nameFrom: (text: string) => nameFrom(text, 200),
  numberIn,
  reportFrom: (text: string) => reportFrom(text, 100_000),
  withoutHidden,
  parseSearch: (text: string) => parseSearch(text, ['owner']),
  nameText: (text: string) => nameText(100_000).safeParse(text),
  cleanedName: (text: string) => cleanedName(100_000).safeParse(text),
  longText: (text: string) => longText(100_000).safeParse(text),
  searchText: (text: string) => searchText(100_000).safeParse(text),
  machineText: (text: string) => machineText(100_000).safeParse(text),
  reportText: (text: string) => reportText(100_000).safeParse(text),
}

test.each(Object.entries(reading))('%s takes linear time for every text', (_, read) => {
  const half = '\u0315'.repeat(16_000)
  const slow = hostile.flatMap((part) =>
    ['', 'a', '!'].filter((tail) => growsFast(read, part, tail)).map((tail) => JSON.stringify([part, tail])),
  )
  expect(slow).toEqual([])
  // The marks of a run are sorted, each against all before it.
  expect(growsFast((text) => read(half.slice(0, text.length) + text), '\u0301')).toBe(false)
})

test('the check finds a quadratic expression and accepts a linear one', () => {
  const [slow, quick] = expressionsIn('a.ts', 'const a = /-+$/; const b = /(?<!-)-+$/') as [
    Expression,
    Expression,
  ]
  expect(slowText(slow)).toBeDefined()
  expect(slowText(quick)).toBeUndefined()
})
