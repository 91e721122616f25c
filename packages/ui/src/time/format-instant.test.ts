import { expect, test } from 'vitest'
import { formatInstant } from './format-instant.ts'

test('BUILD-01 an instant has the format dd.MM.yyyy - HH:mm:ss, and an invalid one stays unchanged', () => {
  expect(formatInstant('2026-01-05T09:03:07')).toBe('05.01.2026 - 09:03:07')
  expect(formatInstant('')).toBe('')
  expect(formatInstant('soon')).toBe('soon')
})
