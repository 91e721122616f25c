import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { definePageTab } from '../define-extension.ts'
import { renderPageTab } from '../testing/render-card.tsx'
import { ListSearch } from '../ui/ListSearch.tsx'
import { ListFrame, type ListFrameProps } from './ListFrame.tsx'
import { notUnderstoodIn } from './not-understood.ts'

afterEach(() => {
  delete document.documentElement.dataset['letterKeys']
})

const cues = ['North', 'South']
const list = {
  items: cues,
  total: 2,
  isCapped: false,
  pageIndex: 0,
  before: 0,
  isWaiting: false,
  error: null,
  staleSince: null,
  retry: () => undefined,
  goNext: null,
  goBack: null,
  goFirst: () => undefined,
}

function Cues({ notUnderstood }: Pick<ListFrameProps, 'notUnderstood'> & { id?: string }) {
  const [search, setSearch] = useState('')
  return (
    <ListFrame
      {...(notUnderstood !== undefined && { notUnderstood })}
      tools={<button type="button">Export</button>}
      list={list}
      search={<ListSearch label="Search cues" value={search} onChange={setSearch} keys={['label']} />}
      isFiltered={search !== ''}
      onClear={() => setSearch('')}
      failed="Failed"
      nothingFound="Nothing"
      empty={null}
      pages={{ label: 'Pages', count: () => '2 cues' }}
    >
      <ul>
        {cues.map((cue) => (
          <li key={cue}>
            <a href={`#${cue}`}>{cue}</a>
          </li>
        ))}
      </ul>
    </ListFrame>
  )
}

const search = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search cues' })

test.each(['/', '{Shift>}/{/Shift}'])(
  'SHELL-07 %s focuses the search of a list, Escape clears it, the down arrow focuses the first row',
  async (keys) => {
    await renderPageTab(definePageTab({ Component: Cues }), { id: '' })
    await userEvent.keyboard(keys)
    expect(document.activeElement).toBe(search())
    await userEvent.keyboard('north/')
    expect(search().value).toBe('north/')
    await userEvent.keyboard('{Escape}')
    expect(search().value).toBe('')
    await userEvent.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'North' }))
  },
)

test('a list shows no records while its address contains a value that it does not understand', async () => {
  let removed = 0
  const parameters = notUnderstoodIn(
    { state: 'opne', sort: 'label', tags: 'x', from: '1220\u202e26' },
    { state: ['open'], sort: ['label'], tags: 'text', from: (text) => text.length === 4, until: ['x'] },
  )
  const Odd = () => <Cues notUnderstood={{ parameters, onRemove: () => (removed += 1) }} />
  await renderPageTab(definePageTab({ Component: Odd }), { id: '' })
  expect(screen.getByRole('status').textContent).toContain('state=opne, from=122026')
  expect(screen.queryByRole('link', { name: 'North' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Export' })).toBeNull()
  expect(screen.queryByText('2 cues')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Remove' }))
  expect(removed).toBe(1)
})

test('SHELL-07 shortcuts of a single character do nothing while they are turned off', async () => {
  document.documentElement.dataset['letterKeys'] = 'off'
  await renderPageTab(definePageTab({ Component: Cues }), { id: '' })
  await userEvent.keyboard('/')
  expect(document.activeElement).not.toBe(search())
})
