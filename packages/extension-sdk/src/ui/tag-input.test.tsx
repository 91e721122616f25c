import { TagInput } from '@pult/ui'
import { act, fireEvent, render } from '@testing-library/react'
import { type SubmitEvent, useState } from 'react'
import { expect, test } from 'vitest'

test('TAG-01 a field shows and removes each of 1,000 tags, and typing does not render them again', () => {
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

test('TAG-01 leaving the field or submitting its form adds a half-typed tag, but switching the window does not', () => {
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
  // When the window loses the focus, the browser blurs the field, which stays the active element.
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
