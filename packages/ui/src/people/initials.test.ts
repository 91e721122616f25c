import { expect, test } from 'vitest'
import { tintOf } from '../color/tint.ts'
import { initialsOf } from './initials.ts'

test.each([
  ['Henrik Albers', 'HA'],
  ['Ana María de la Cruz', 'AC'],
  ['petra.vogt@hafenlicht.example', 'PV'],
  ['ci', 'CI'],
  ['Ökrös', 'ÖK'],
  ['', ''],
])('the initials of %j are %s', (name, initials) => {
  expect(initialsOf(name)).toBe(initials)
})

test('an id always has the same tint, and ids spread over the seven tints', () => {
  const tints = Array.from({ length: 200 }, (_, index) => tintOf(`person-${index}`))
  expect(tints).toEqual(Array.from({ length: 200 }, (_, index) => tintOf(`person-${index}`)))
  expect(new Set(tints).size).toBe(7)
})
