import { expect, test } from 'vitest'
import { readEntry } from './journal.ts'

const entry = (fields: object) =>
  JSON.stringify({
    __CURSOR: 's=1',
    __REALTIME_TIMESTAMP: '1764279134123456',
    _PID: '31',
    SYSLOG_IDENTIFIER: 'player',
    ...fields,
  })

const textsIn = (fields: object) => readEntry(entry(fields))?.lines.map(({ text }) => text)

test('alp82/curia#190 an entry of several lines has the time and the sender of the entry on each line', () => {
  const found = readEntry(entry({ MESSAGE: 'Error: no film\n    at play (a.js:1)\n\n    at b\n' }))
  expect(found?.at.toISOString()).toBe('2025-11-27T21:32:14.123Z')
  expect(found?.lines.map(({ text }) => text)).toEqual([
    'player[31]: Error: no film',
    'player[31]:     at play (a.js:1)',
    'player[31]: ',
    'player[31]:     at b',
  ])
})

const latin1 = [...Buffer.from('T\xfcr offen', 'latin1')]

test.each([
  ['a text', { MESSAGE: 'an em dash — and “quotes”' }, ['an em dash — and “quotes”']],
  ['bytes that are not UTF-8', { MESSAGE: latin1 }, ['T\ufffdr offen']],
  ['UTF-8 with a carriage return as bytes', { MESSAGE: [...Buffer.from('ü 1 %\rü 2 %')] }, ['ü 2 %']],
  ['an empty text', { MESSAGE: '' }, ['']],
  ['no bytes', { MESSAGE: [] }, ['']],
  ['a text that is too large', { MESSAGE: null }, ['(a text that is too large)']],
  ['no text', {}, []],
  [
    'several texts',
    { MESSAGE: ['one', latin1, null, 7] },
    ['one', 'T\ufffdr offen', '(a text that is too large)'],
  ],
  ['a text of another kind', { MESSAGE: { a: 1 } }, []],
])('balena-os/balena-engine#237 an entry with %s is readable', (_name, fields, lines) => {
  expect(textsIn(fields)).toEqual(lines.map((line) => `player[31]: ${line}`))
})

test.each([
  ['a sender without an identifier', { SYSLOG_IDENTIFIER: undefined, _COMM: 'mpv' }, 'mpv[31]: a'],
  ['a sender with two identifiers', { SYSLOG_IDENTIFIER: ['one', 'two'] }, 'one[31]: a'],
  ['a sender without a process', { SYSLOG_IDENTIFIER: 'kernel', _PID: undefined }, 'kernel: a'],
  ['a relayed sender', { _PID: undefined, SYSLOG_PID: '9' }, 'player[9]: a'],
  ['an unknown sender', { SYSLOG_IDENTIFIER: '', _PID: undefined }, 'unknown: a'],
])('an entry of %s names it', (_name, fields, line) => {
  expect(textsIn({ ...fields, MESSAGE: 'a' })).toEqual([line])
})

test('a line that is no entry is none, and an entry with an impossible time has the present one', () => {
  for (const line of ['', '-- No entries --', 'null', '[]', '"a"', '{"MESSAGE":"a"}', '{"MESSAGE":'])
    expect(readEntry(line)).toBeUndefined()
  for (const time of ['18446744073709551615', 'soon', null])
    expect(readEntry(entry({ __REALTIME_TIMESTAMP: time, MESSAGE: 'a' }))?.at.getTime()).not.toBeNaN()
})
