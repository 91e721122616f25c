import { expect, test } from 'vitest'
import { inWords } from './in-words.ts'

test.each([
  [1, '1 second'],
  [30, '30 seconds'],
  [119, '119 seconds'],
  [120, '2 minutes'],
  [121, '3 minutes'],
  [3600, '60 minutes'],
])('RULE-06 a wait of %i seconds reads "%s"', (seconds, words) => {
  expect(inWords(seconds)).toBe(words)
})
