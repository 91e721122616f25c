import { expect, test } from 'vitest'
import { usableSerial } from './deck-serial.ts'

test.each([
  ['a serial number of Elgato', 'AL12H1A00001', 'AL12H1A00001'],
  ['padding around it', ' CL45_I2B-7\0\0\u00ff', 'CL45_I2B-7'],
  ['64 characters', 'A'.repeat(64), 'A'.repeat(64)],
  ['nothing', '', null],
  ['an error message', 'Invalid SN! ', null],
  ['zeros', '000000000000', null],
  ['dashes', '----', null],
  ['control characters', 'A\u0007B', null],
  ['unreadable bytes', '\ufffd\ufffd', null],
  ['an emoji', 'A😀', null],
  ['300 characters', 'A'.repeat(300), null],
])('DECK-03 a device that reports %s has that serial number or none', (_name, reported, usable) => {
  expect(usableSerial(reported)).toBe(usable)
})
