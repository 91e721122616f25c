import { TagInput, TextAreaField, TextField } from '@pult/ui'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'

const family = '👨‍👩‍👧‍👦'

afterEach(cleanup)

function Fields() {
  const [name, setName] = useState('')
  const [text, setText] = useState('')
  return (
    <>
      <TextField label="Name" maxLength={3} value={name} onChange={({ target }) => setName(target.value)} />
      <TextAreaField
        label="Text"
        maxLength={3}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <TagInput label="Tags" maxLength={3} tags={[]} onChange={() => {}} removeLabel={(tag) => tag} />
      <TextField label="Address" type="email" maxLength={3} />
      <TextField label="Note" maxLength={3} />
    </>
  )
}

test('a field accepts as many characters as readers see, and cuts none of them', () => {
  render(<Fields />)
  for (const label of ['Name', 'Text', 'Tags']) {
    const field = screen.getByLabelText<HTMLInputElement>(label, { selector: 'input,textarea' })
    fireEvent.change(field, { target: { value: family.repeat(3) } })
    expect(field.value, label).toBe(family.repeat(3))
    fireEvent.change(field, { target: { value: `${family.repeat(3)}😀` } })
    expect(field.value, label).toBe(family.repeat(3))
  }
  const address = screen.getByLabelText<HTMLInputElement>('Address')
  fireEvent.change(address, { target: { value: 'abcd' } })
  expect(address.value).toBe('abc')
})

test('text of an input method is cut when its composition ends', () => {
  render(<Fields />)
  const field = screen.getByLabelText<HTMLInputElement>('Note')
  fireEvent.compositionStart(field)
  fireEvent.input(field, { target: { value: 'にほんご' }, isComposing: true })
  expect(field.value).toBe('にほんご')
  fireEvent.compositionEnd(field)
  expect(field.value).toBe('にほん')
})

test('text behind the caret stays when a full field rejects more', () => {
  render(<Fields />)
  const field = screen.getByLabelText<HTMLInputElement>('Name')
  fireEvent.change(field, { target: { value: 'abc' } })
  fireEvent.change(field, { target: { value: 'a😀😀bc', selectionStart: 5, selectionEnd: 5 } })
  expect([field.value, field.selectionEnd]).toEqual(['abc', 1])
})
