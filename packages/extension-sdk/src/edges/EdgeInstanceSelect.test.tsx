import type { EdgeWithInstances } from '@pult/contract'
import { fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { defineApp } from '../define-extension.ts'
import { renderApp } from '../testing/render-app.tsx'
import { EdgeInstanceSelect, type EdgeSelection } from './EdgeInstanceSelect.tsx'

const hall: EdgeWithInstances = {
  _id: '0193a3f0-0000-7000-8000-00000000000a',
  label: 'Hall 3',
  state: 'online',
  instances: [
    { _id: '0193a3f0-0000-7000-8000-0000000000a1', label: 'Player' },
    { _id: '0193a3f0-0000-7000-8000-0000000000a2', label: 'Camera' },
  ],
}
const truck: EdgeWithInstances = {
  _id: '0193a3f0-0000-7000-8000-00000000000b',
  label: 'Truck',
  state: 'offline',
  instances: [{ _id: '0193a3f0-0000-7000-8000-0000000000b1', label: 'Encoder' }],
}

/** Renders a form with the field and returns the selected values. */
function shown(items: EdgeWithInstances[], first: EdgeSelection | null = null) {
  const yielded: (EdgeSelection | null)[] = []
  function Page() {
    const [value, setValue] = useState(first)
    const change = (next: EdgeSelection | null) => {
      yielded.push(next)
      setValue(next)
    }
    return <EdgeInstanceSelect value={value} onChange={change} />
  }
  renderApp(defineApp({ routes: [{ name: 'app-show', path: '', Component: Page }] }), {
    api: { 'GET /projects/:projectId/edge-instances': { items, total: items.length } },
  })
  return yielded
}

const field = () => screen.getByLabelText<HTMLSelectElement>('Edge instance')
const names = () => [...field().querySelectorAll('option, optgroup')].map((each) => each.textContent.trim())

test('EDGE-01 the field offers instances by edge and yields edge and edgeId', async () => {
  const yielded = shown([hall, truck])
  await expect.poll(() => names().length).toBe(6)
  const groups = [...field().querySelectorAll('optgroup')].map(({ label }) => label)
  expect(groups).toEqual(['Hall 3', 'Truck (offline)'])
  fireEvent.change(field(), { target: { value: truck.instances[0]?._id } })
  expect(yielded).toEqual([{ edge: truck.instances[0]?._id, edgeId: truck._id }])
  expect(field().value).toBe(truck.instances[0]?._id)
  fireEvent.change(field(), { target: { value: '' } })
  expect(yielded.at(-1)).toBeNull()
})

test('an unassigned instance stays selected with a hint, and an empty list shows its reason', async () => {
  shown([], { edge: truck.instances[0]?._id ?? '', edgeId: truck._id })
  await screen.findByText('No edge instance is assigned to this project.')
  expect(field().selectedOptions[0]?.textContent).toBe('No longer assigned to this project')
})
