import { expect, test } from 'vitest'
import { matchesSearch, parseSearch } from './search.ts'

const keys = ['label', 'pinned', 'customer']

test.each([
  ['', { words: [], fields: [] }],
  ['hall north', { words: ['hall', 'north'], fields: [] }],
  ['"north side" hall', { words: ['north side', 'hall'], fields: [] }],
  ['pinned:true hall', { words: ['hall'], fields: [{ key: 'pinned', value: 'true' }] }],
  ['customer:"Messe Nord" x', { words: ['x'], fields: [{ key: 'customer', value: 'Messe Nord' }] }],
  ['unknown:value', { words: ['unknown:value'], fields: [] }],
  ['http://x', { words: ['http://x'], fields: [] }],
  ['label:', { words: [], fields: [] }],
  ['"open', { words: ['"open'], fields: [] }],
])('CRUD-08 DEC-32 reads %j', (text, expected) => {
  expect(parseSearch(text, keys)).toEqual(expected)
})

test.each([
  ['ΟΔΟΣ', 'Οδος 5'],
  ['οδος', 'ΟΔΟΣ 5'],
  ['istanbul', 'İstanbul 1'],
  ['STRASSE', 'Straße 5'],
  ['müller', 'Mu\u0308llerstra\u00dfe'],
])('CRUD-08 %j finds %j', (text, label) => {
  expect(matchesSearch(parseSearch(text, keys), { text: [label], fields: {} })).toBe(true)
  expect(matchesSearch(parseSearch(`label:${text}`, keys), { text: [], fields: { label } })).toBe(true)
})

const record = { text: ['Hall North'], fields: { pinned: true, customer: 'Messe Nord', label: null } }

test.each([
  ['hall', true],
  ['hall south', false],
  ['pinned:true', true],
  ['pinned:false', false],
  ['pinned:tr', false],
  ['customer:mess', true],
  ['customer:nord', false],
  ['label:x', false],
  ['customer:mess north', true],
])('CRUD-08 DEC-32 %j matches: %s', (text, expected) => {
  expect(matchesSearch(parseSearch(text, keys), record)).toBe(expected)
})
