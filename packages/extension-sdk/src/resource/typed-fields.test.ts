import { expect, test } from 'vitest'
import {
  changesOf,
  overtakenFields,
  revisionToSend,
  settleFields,
  shownValues,
  typeInto,
} from './typed-fields.ts'

type Note = { label: string; text: string }
const clean = ({ label, text }: Note): Note => ({ label: label.trim(), text })
const first = { values: { label: 'Hall', text: 'Dark' }, revision: 1 }
const relabelled = { values: { label: 'Gate', text: 'Dark' }, revision: 2 }

test('DEC-29 untouched fields follow the server, typed text stays', () => {
  const typed = typeInto({}, first, 'text', 'Light')
  expect(shownValues(typed, relabelled)).toEqual({ label: 'Gate', text: 'Light' })
  expect(overtakenFields(typed, relabelled)).toEqual([])
})

test('CRUD-06 a change set holds only cleaned differences from the server', () => {
  const spaces = typeInto({}, first, 'label', 'Hall  ')
  expect(changesOf(spaces, first, clean)).toEqual({})
  expect(changesOf(typeInto(spaces, first, 'text', 'Light'), first, clean)).toEqual({ text: 'Light' })
  expect(typeInto(typeInto({}, first, 'text', 'Light'), first, 'text', 'Dark')).toEqual({})
})

test('RULE-58 DEC-29 a save over another user’s version of a field sends the old revision, any other save the newest', () => {
  const text = typeInto({}, first, 'text', 'Light')
  expect(revisionToSend(text, relabelled)).toBe(2)
  const label = typeInto(typeInto({}, first, 'label', 'D'), relabelled, 'label', 'Deck')
  expect(overtakenFields(label, relabelled)).toEqual(['label'])
  expect(revisionToSend(label, relabelled)).toBe(1)
})

test('CRUD-05 text typed during a save stays, over the saved value', () => {
  const sent = typeInto({}, first, 'label', 'Gate ')
  expect(settleFields(sent, relabelled, clean)).toEqual({})
  const more = settleFields(typeInto(sent, first, 'text', 'Li'), relabelled, clean)
  expect(shownValues(more, relabelled)).toEqual({ label: 'Gate', text: 'Li' })
  expect(revisionToSend(more, relabelled)).toBe(2)
})
