import { expect, test } from 'vitest'
import { printable } from './report.ts'
import { runProgram } from './run-program.ts'

test('cut text has no half of a surrogate pair at its end, and no control characters', () => {
  expect(printable('ab😀', 3)).toBe('ab ')
  expect(printable('ab😀', 4)).toBe('ab😀')
  expect(printable('a\tb\0c\ud800d', 50)).toBe('a b c d')
})

test('the output of a program has no half of a surrogate pair', async () => {
  const { lines } = await runProgram(['printf', '%s', `${'a'.repeat(399)}😀`], 5000)
  expect(lines).toEqual(['a'.repeat(399)])
})
