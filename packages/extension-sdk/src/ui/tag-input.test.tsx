import { TagInput } from '@pult/ui'
import { act, fireEvent, render } from '@testing-library/react'
import { type SubmitEvent, useState } from 'react'
import { expect, test } from 'vitest'

test('TAG-01 a field with 1,000 tags shows and removes each, and typing draws none of them again', () => {
  const all = Array.from({ length: 1000 }, (_, index) => `tag${index}`)
  let drawn = 0
  const removeLabel = (tag: string) => {
    drawn += 1
    return `Remove ${tag}`
  }
  let kept: readonly string[] = all
  function Form() {
    const [tags, setTags] = useState(kept)
    const change = (next: string[]) => setTags((kept = next))
    return <TagInput label="Tags" tags={tags} onChange={change} removeLabel={removeLabel} />
  }
  const { container } = render(<Form />)
  expect([container.querySelectorAll('li').length, drawn]).toEqual([1000, 1000])
  const input = container.querySelector('input') as HTMLInputElement
  fireEvent.change(input, { target: { value: 'new' } })
  expect(drawn).toBe(1000)
  fireEvent.change(input, { target: { value: '' } })
  fireEvent.keyDown(input, { key: 'Backspace' })
  expect([kept.length, kept.at(-1)]).toEqual([999, 'tag998'])
})

test('TAG-01 a half-typed tag is added by leaving the field and before its form is sent, but not when the window loses the focus', () => {
  const sent: (readonly string[])[] = []
  function Form() {
    const [tags, setTags] = useState<string[]>([])
    const send = (event: SubmitEvent) => {
      event.preventDefault()
      sent.push(tags)
    }
    return (
      <form onSubmit={send}>
        <TagInput label="Tags" tags={tags} onChange={setTags} removeLabel={(tag) => `Remove ${tag}`} />
      </form>
    )
  }
  const { container } = render(<Form />)
  const input = container.querySelector('input') as HTMLInputElement
  const send = () => fireEvent.submit(container.querySelector('form') as HTMLFormElement)
  input.focus()
  fireEvent.change(input, { target: { value: 'north' } })
  // The browser reports the window's loss as one of the field, which stays the active element.
  fireEvent.blur(input)
  expect(input.value).toBe('north')
  act(() => input.blur())
  expect(input.value).toBe('')
  fireEvent.change(input, { target: { value: ' south ' } })
  send()
  fireEvent.change(input, { target: { value: 'south' } })
  send()
  expect(sent).toEqual([
    ['north', 'south'],
    ['north', 'south'],
  ])
  expect(input.value).toBe('south')
})
