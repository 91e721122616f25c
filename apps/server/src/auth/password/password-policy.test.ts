import { readFileSync } from 'node:fs'
import { underLoad } from '@pult/testkit'
import { expect, test } from 'vitest'
import { AppError } from '#platform/app-error.ts'
import { checkNewPassword, type PasswordOwner } from './password-policy.ts'

const ada: PasswordOwner = { firstname: 'Ada', lastname: 'Lovelace', emails: ['countess@analytical.example'] }

function codeFor(password: string, owner = ada): string | undefined {
  try {
    checkNewPassword(password, owner)
    return undefined
  } catch (error) {
    return error instanceof AppError ? error.code : String(error)
  }
}

test.each([
  ['eight code points', 'kx7!mqzr'],
  ['256 code points', 'kx7!mqzr'.repeat(32)],
  ['Cyrillic', 'ёжикумные7'],
  ['Chinese', '天地玄黄宇宙洪荒'],
  ['astral characters, counted as one each', '🦊🌲🔑🎷🧭🪵🥁🪁'],
  ['spaces', '  river stone  '],
  ['own words among other words', 'Ada plays chess in Pult'],
])('RULE-02 a password of %s is accepted', (_, password) => {
  expect(codeFor(password)).toBeUndefined()
})

test.each([
  ['seven code points', 'kx7!mqz', 'PASSWORD_TOO_SHORT'],
  ['seven astral characters', '🦊🌲🔑🎷🧭🪵🥁', 'PASSWORD_TOO_SHORT'],
  ['seven code points that are eight before composition', 'kx7!mqe\u0301', 'PASSWORD_TOO_SHORT'],
  ['257 code points', 'a'.repeat(257), 'PASSWORD_TOO_LONG'],
  ['1800 bytes in 200 composed code points', '각'.normalize('NFD').repeat(200), 'PASSWORD_TOO_LONG'],
])('RULE-02 a password of %s is rejected', (_, password, code) => {
  expect(codeFor(password)).toBe(code)
})

test('RULE-03 the 3,000 most common passwords are rejected in upper and lower case and in any width', () => {
  const list = readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !/^# |^#$/.test(line))
  expect(list.length).toBeGreaterThan(3000)
  for (const password of list) {
    expect(codeFor(password), password).toBe('PASSWORD_TOO_COMMON')
    expect(codeFor(password.toUpperCase()), password).toBe('PASSWORD_TOO_COMMON')
  }
  expect(codeFor('ｐａｓｓｗｏｒｄ')).toBe('PASSWORD_TOO_COMMON')
})

test.each([
  'password',
  'Password1',
  'P@ssw0rd',
  'passwort',
  'qwertyuiop',
  'iloveyou',
  '12345678',
  '1234567890',
  '0987654321',
  '123123123',
  'aaaaaaaa',
  'abcdefgh',
  '24121999',
  '24.12.1999',
  'jennifer',
  'november',
  'starwars',
  'Password123!',
  'Passw0rd!',
  'P@$$w0rd2026',
  'Summer2026!',
  'Welcome1!',
  'W1llkommen!',
  'Qwerty123!',
  'admin123!',
  'Adm1n2026',
  'changeme1',
  'letmein123',
  'Herbst2026!',
  'M0nday#1234',
])('RULE-03 the password %s is rejected', (password) => {
  expect(codeFor(password)).toBe('PASSWORD_TOO_COMMON')
})

test.each([
  'pult2026',
  'PultPult',
  'lovelace',
  'Lovelace1815!',
  'ada.lovelace',
  'AdaLovelace',
  'countess',
  'countess99',
  'analytical',
  'countess@analytical.example',
  'lovelace 1815 pult',
])('RULE-03 %s is rejected as a combination of words of the product and the user', (password) => {
  expect(codeFor(password)).toBe('PASSWORD_TOO_COMMON')
})

test.each([
  'a moth in relay 70',
  'sieben Störche auf dem Dach',
  'summer rain on tin',
  'qwvz7-pmk3-ttr9',
  '9482759201635',
  'password 1 of Grace Hopper',
  'summer928374650192',
])('RULE-03 the password %s is accepted', (password) => {
  expect(codeFor(password)).toBeUndefined()
})

test('RULE-03 a hostile name does not slow down the check', () => {
  const owner = {
    firstname: 'ab'.repeat(100),
    lastname: 'a'.repeat(200),
    emails: [`${'a.'.repeat(100)}a@b.c`],
  }
  const start = performance.now()
  expect(codeFor(`${'a'.repeat(255)}x`, owner)).toBeUndefined()
  expect(performance.now() - start).toBeLessThan(underLoad(100))
})
