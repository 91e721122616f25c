import { expect, test } from 'vitest'
import { AppError } from './app-error.ts'
import { isTransient } from './transient.ts'

const withCode = (code: string) => Object.assign(new Error(code), { code })

test.each([
  ['a database that does not answer', new AppError('DATABASE_UNAVAILABLE'), true],
  ['a reset connection', withCode('ECONNRESET'), true],
  ['a serialisation failure', withCode('40001'), true],
  ['a deadlock', withCode('40P01'), true],
  ['a refusal', new AppError('NOT_FOUND'), false],
  ['a record that another one refers to', withCode('23503'), false],
  ['a missing file', withCode('ENOENT'), false],
  ['a fault of the code', new TypeError('x is undefined'), false],
])('a retry may succeed after some errors: %s', (_name, error, expected) => {
  expect(isTransient(error)).toBe(expected)
})
