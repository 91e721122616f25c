import { expect, test } from 'vitest'
import { strengthOf } from './password-strength.ts'

test.each([
  ['', null],
  ['kurz12!', null],
  ['Passwort1', 'weak'],
  ['aaaaaaaaaaaaaaaa', 'weak'],
  ['RosaRoot2024!', 'weak'],
  ['Vk7!mq2#', 'fair'],
  ['hafen kran nebel', 'good'],
  ['eine gute lange Kette', 'strong'],
] as const)('the strength of %s is %s', (password, strength) => {
  expect(strengthOf(password, ['Rosa', 'Root', 'root@localhost'])).toBe(strength)
})
