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

test('DEC-29 what nobody has touched follows the server, what somebody types stays', () => {
  const typed = typeInto({}, first, 'text', 'Light')
  expect(shownValues(typed, relabelled)).toEqual({ label: 'Gate', text: 'Light' })
  expect(overtakenFields(typed, relabelled)).toEqual([])
})

test('CRUD-06 a change set holds only what differs from the server, cleaned', () => {
  const spaces = typeInto({}, first, 'label', 'Hall  ')
  expect(changesOf(spaces, first, clean)).toEqual({})
  expect(changesOf(typeInto(spaces, first, 'text', 'Light'), first, clean)).toEqual({ text: 'Light' })
  expect(typeInto(typeInto({}, first, 'text', 'Light'), first, 'text', 'Dark')).toEqual({})
})

test('RULE-58 DEC-29 a save over somebody else’s version of a field goes out from the old revision, any other from the newest', () => {
  const text = typeInto({}, first, 'text', 'Light')
  expect(revisionToSend(text, relabelled)).toBe(2)
  const label = typeInto(typeInto({}, first, 'label', 'D'), relabelled, 'label', 'Door')
  expect(overtakenFields(label, relabelled)).toEqual(['label'])
  expect(revisionToSend(label, relabelled)).toBe(1)
})

test('CRUD-05 what is typed while a save is on its way stays, over what was saved', () => {
  const sent = typeInto({}, first, 'label', 'Gate ')
  expect(settleFields(sent, relabelled, clean)).toEqual({})
  const more = settleFields(typeInto(sent, first, 'text', 'Li'), relabelled, clean)
  expect(shownValues(more, relabelled)).toEqual({ label: 'Gate', text: 'Li' })
  expect(revisionToSend(more, relabelled)).toBe(2)
})
