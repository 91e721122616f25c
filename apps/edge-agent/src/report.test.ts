import { expect, test } from 'vitest'
import { printable } from './report.ts'
import { runProgram } from './run-program.ts'

test('what is cut has no half of a character at its end, and no control characters', () => {
  expect(printable('ab😀', 3)).toBe('ab ')
  expect(printable('ab😀', 4)).toBe('ab😀')
  expect(printable('a\tb\0c\ud800d', 50)).toBe('a b c d')
})

test('nor has what a program says', async () => {
  const { lines } = await runProgram(['printf', '%s', `${'a'.repeat(399)}😀`], 5000)
  expect(lines).toEqual(['a'.repeat(399)])
})
