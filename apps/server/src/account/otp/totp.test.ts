import { HOTP, Secret } from 'otpauth'
import { expect, test } from 'vitest'
import { newSeed, stepOf } from './totp.ts'

// The secret of RFC 6238, appendix B: the ASCII digits 12345678901234567890.
const rfcSeed = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

/** In the middle of a step. */
const at = new Date(1_234_567_905_000)
const step = 41_152_263

test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
  [20_000_000_000, '353130', 666_666_666],
])('RULE-12 the code of RFC 6238 at %i s is accepted for its step', (seconds, code, expected) => {
  expect(stepOf(rfcSeed, code, new Date(seconds * 1000))).toBe(expected)
})

test('RULE-12 codes of the steps -1, 0 and +1 are accepted, and no others', () => {
  const hotp = new HOTP({ secret: Secret.fromBase32(rfcSeed) })
  const judged = [-3, -2, -1, 0, 1, 2, 3].map((offset) =>
    stepOf(rfcSeed, hotp.generate({ counter: step + offset }), at),
  )
  expect(judged).toEqual([null, null, step - 1, step, step + 1, null, null])
})

test('RULE-13 seeds have 160 random bits', () => {
  const seeds = Array.from({ length: 100 }, newSeed)
  for (const seed of seeds) expect(Secret.fromBase32(seed).bytes).toHaveLength(20)
  expect(new Set(seeds).size).toBe(100)
})
