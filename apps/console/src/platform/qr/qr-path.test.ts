import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { qrPathOf } from './qr-path.ts'

const text = 'otpauth://totp/Pult:ada%40example.org?issuer=Pult&secret=ZBPLY5SPGRC3QEY42Z5Z2CQAU33TPLKN'

/** Returns the modules that a path paints. */
function modulesOf({ size, d }: ReturnType<typeof qrPathOf>): boolean[][] {
  const modules = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, length] of d.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let step = 0; step < Number(length); step += 1) {
      const row = modules[Number(y)]
      if (row) row[Number(x) + step] = true
    }
  }
  return modules
}

test('OTP-02 a QR code is drawn module by module, with a margin of four light modules', () => {
  const bare = encode(text, { ecc: 'M', border: 0 })
  const drawn = modulesOf(qrPathOf(text))
  expect(drawn).toHaveLength(bare.size + 8)
  expect(drawn.slice(4, -4).map((row) => row.slice(4, -4))).toEqual(bare.data)
  const zone = [
    ...drawn.slice(0, 4),
    ...drawn.slice(-4),
    ...drawn.map((row) => [...row.slice(0, 4), ...row.slice(-4)]),
  ]
  expect(zone.flat()).not.toContain(true)
})

test('OTP-02 the path contains whole modules only', () => {
  expect(qrPathOf(text).d.replaceAll(/M\d+ \d+h(\d+)v1h-\1z/g, '')).toBe('')
})
