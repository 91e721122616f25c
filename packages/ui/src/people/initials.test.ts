import { expect, test } from 'vitest'
import { tintOf } from '../color/tint.ts'
import { initialOf, initialsOf } from './initials.ts'

test.each([
  ['Henrik Albers', 'HA'],
  ['Ana María de la Cruz', 'AC'],
  ['petra.vogt@hafenlicht.example', 'PV'],
  ['ci', 'CI'],
  ['Ökrös', 'ÖK'],
  ['', ''],
  ['🇩🇪 Team 👨‍👩‍👧‍👦', '🇩🇪👨‍👩‍👧‍👦'],
  ['👩🏽‍🔧x', '👩🏽‍🔧X'],
  ['n\u0323a\u0301x', 'N\u0323A\u0301'],
  ['क्षेत्र', 'क्षेत्र'],
])('the initials of %j are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

test.each([
  [' hall 3', 'H'],
  ['🇩🇪 Messe', '🇩🇪'],
  ['👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦'],
  ['g\u0303alu', 'G\u0303'],
  ['  ', ''],
])('the initial of %j is %s', (label, initial) => {
  expect(initialOf(label)).toBe(initial)
})

test('an id always has the same tint, and ids spread over the seven tints', () => {
  const tints = Array.from({ length: 200 }, (_, index) => tintOf(`person-${index}`))
  expect(tints).toEqual(Array.from({ length: 200 }, (_, index) => tintOf(`person-${index}`)))
  expect(new Set(tints).size).toBe(7)
})
