import { randomBytes } from 'node:crypto'
import { limits } from '@pult/contract'
import { expect, test } from 'vitest'
import { hashRecoveryCode, newRecoveryCodes, recoveryCodesIn } from './recovery-codes.ts'

const codes = newRecoveryCodes()
const bare = (code: string) => code.replaceAll('-', '')

test('RULE-17 DEC-06 ten codes have 80 bits each in four groups of four characters', () => {
  expect(codes).toHaveLength(10)
  for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
  const many = Array.from({ length: 200 }, newRecoveryCodes).flat()
  expect(new Set(many).size).toBe(2000)
  // Among 32,000 characters, each of the alphabet's 32 occurs with similar frequency.
  const counts = Object.groupBy([...many.join('').replaceAll('-', '')], (character) => character)
  expect(Object.keys(counts)).toHaveLength(32)
  for (const found of Object.values(counts)) expect(found?.length).toBeLessThan(1300)
})

test('RULE-17 a code has a different hash under a different salt', () => {
  const [code = ''] = codes
  const salt = randomBytes(16)
  expect(hashRecoveryCode(salt, code)).toEqual(hashRecoveryCode(salt, bare(code)))
  expect(hashRecoveryCode(salt, code)).not.toEqual(hashRecoveryCode(randomBytes(16), code))
})

test.each<[string, (all: string[]) => string]>([
  ['one per line', (all) => all.join('\n')],
  ['Windows line ends', (all) => all.join('\r\n')],
  ['commas', (all) => all.join(', ')],
  ['blanks within and between', (all) => all.join(' ').replaceAll('-', ' ')],
  ['dashes within and between', (all) => all.join('-')],
  ['dashes of a word processor', (all) => all.join('\n').replaceAll('-', '–')],
  ['no-break spaces', (all) => all.join('\n').replaceAll('-', '\u00a0')],
  ['no separators', (all) => all.map(bare).join('')],
  ['pairs', (all) => (all.map(bare).join('').match(/../g) ?? []).join(' ')],
  ['a numbered list', (all) => all.map((code, index) => `${index + 1}. ${code}`).join('\n')],
  ['a list with words', (all) => all.map((code) => `Pult code: ${code} (unused)`).join('\n')],
  ['a table', (all) => all.map((code) => `| ${code} |`).join('\n')],
  ['small letters', (all) => all.join('\n').toLowerCase()],
  [
    'Arabic digits',
    (all) => all.join('\n').replaceAll(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit))),
  ],
  ['full-width characters', (all) => all.join('\n').replaceAll(/[!-~]/g, (sign) => fullWidth(sign))],
])('DEC-06 all codes are found in a text with %s', (_, write) => {
  expect(recoveryCodesIn(write(codes))).toEqual(expect.arrayContaining(codes.map(bare)))
})

const fullWidth = (sign: string) => String.fromCodePoint((sign.codePointAt(0) ?? 0) + 0xfee0)

test('DEC-06 O is read as 0, and I and L as 1', () => {
  expect(recoveryCodesIn('OoIi-LlAB-CDEF-GHJK')).toEqual(['001111ABCDEFGHJK'])
})

test('RULE-17 at most twenty candidates are checked, each with at least sixteen characters', () => {
  const sheet = Array.from({ length: 10 }, newRecoveryCodes)
    .flat()
    .join('\n')
    .slice(0, limits.recoveryTextMax)
  expect(recoveryCodesIn(sheet)).toHaveLength(20)
  expect(recoveryCodesIn('ABCD-EFGH-JKMN')).toEqual([])
  expect(recoveryCodesIn('')).toEqual([])
  expect(recoveryCodesIn(' \n\u0000—')).toEqual([])
})
