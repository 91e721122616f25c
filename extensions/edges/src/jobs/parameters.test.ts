import type { EdgeParameter } from '@pult/contract'
import { expect, test } from 'vitest'
import { typedOf, valueOf } from './parameters.ts'

const number: EdgeParameter = { key: 'n', label: 'N', type: 'number', min: -1, max: 10 }
const text: EdgeParameter = { key: 't', label: 'T', type: 'string', maxLength: 3 }
const choice: EdgeParameter = {
  key: 'c',
  label: 'C',
  type: 'choice',
  options: ['day', 'night'],
  default: 'day',
}
const flag: EdgeParameter = { key: 'f', label: 'F', type: 'boolean' }

test.each([
  [number, '2.5', 2.5],
  [number, '2,5', 2.5],
  [number, ' -1 ', -1],
  [number, '', undefined],
  [number, 'ten', undefined],
  [number, '11', undefined],
  [{ ...number, isWhole: true }, '2.5', undefined],
  [text, 'abc', 'abc'],
  [text, 'abcd', undefined],
  [text, '', undefined],
  [choice, 'night', 'night'],
  [choice, '', undefined],
  [flag, true, true],
  [flag, false, false],
] as const)('a field of %o with %j means %j', (parameter, typed, value) => {
  expect(valueOf(parameter as EdgeParameter, typed)).toBe(value)
})

test('a field shows the default of its parameter', () => {
  expect([number, text, choice, flag].map(typedOf)).toEqual(['', '', 'day', false])
  expect(typedOf({ ...number, default: 0 })).toBe('0')
})
