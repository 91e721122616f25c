import { TagInput } from '@pult/ui'
import { fireEvent, render } from '@testing-library/react'
import { useState } from 'react'
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
