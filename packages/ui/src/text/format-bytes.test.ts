import { expect, test } from 'vitest'
import { formatBytes } from './format-bytes.ts'

test.each([
  [0, '0 B', '0 B'],
  [999, '999 B', '999 B'],
  [1000, '1 kB', '1 kB'],
  [1234, '1,23 kB', '1.23 kB'],
  [12_345, '12,3 kB', '12.3 kB'],
  [999_499, '999 kB', '999 kB'],
  [999_500, '1 MB', '1 MB'],
  [1_234_567_890, '1,23 GB', '1.23 GB'],
  [9.99e17, '999 PB', '999 PB'],
])('%i bytes have three significant digits and a unit, in the language’s style', (bytes, german, english) => {
  expect(formatBytes(bytes)).toBe(german)
  expect(formatBytes(bytes, 'de-DE')).toBe(german)
  expect(formatBytes(bytes, 'en')).toBe(english)
})
