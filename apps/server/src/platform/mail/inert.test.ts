import { expect, test } from 'vitest'
import { inert } from './inert.ts'

test.each([
  ['https://evil.example/login', 'https: //evil. example/login'],
  ['HTTP://192.0.2.1:8080/login', 'HTTP: //192.0.2. 1:8080/login'],
  ['mailto:a@b.example?cc=c@d.example', 'mailto: a@ b. example?cc=c@ d. example'],
  ['tel:+4930123456', 'tel: +4930123456'],
  ['www.x.yy', 'www. x. yy'],
  ['www.1', 'www. 1'],
  ['evil.example', 'evil. example'],
  ['(evil1.xn--p1ai)', '(evil1. xn--p1ai)'],
  ['böse.münchen', 'böse. münchen'],
  ['evil。example．com｡de․uk﹒at', 'evil。 example． com｡ de․ uk﹒ at'],
  ['evil.\u{ad}example', 'evil. \u{ad}example'],
  ['evil.ⓒⓞⓜ', 'evil. ⓒⓞⓜ'],
  ['a@b', 'a@ b'],
  ['a＠b.example', 'a＠ b. example'],
  ['\\\\evil\\share', '\\ \\evil\\share'],
  ['kiosk-3.local', 'kiosk-3. local'],
])('%j contains no link after inert', (text, expected) => {
  expect(inert(text)).toBe(expected)
})

test.each([
  '',
  'Dr. Müller',
  'J. R. Smith',
  'Messe 2.0',
  'Version 2.0.1',
  'Halle 3/4',
  'Kai 7: Nord',
  'Aufbau 27.11.2026, 12:30 Uhr',
  'Team .NET',
  '@Olga: bitte ansehen …',
  "O'Hara & Söhne (Köln)",
])('inert keeps %j', (text) => {
  expect(inert(text)).toBe(text)
})
