import { expect, test } from 'vitest'
import { progressOf } from './direct-parts.ts'

test('FILE-01 a part of another length counts as missing, and parts beyond the end are ignored', () => {
  const part = (number: number, size: number) => ({ number, size, etag: `"${number}"` })
  const arrived = [part(1, 8), part(2, 5), part(3, 4), part(4, 8)]
  expect(progressOf(20, { bytes: 8, arrived })).toEqual({
    received: 12,
    present: [part(1, 8), part(3, 4)],
    missing: [{ number: 2, first: 8, end: 16 }],
  })
})
