import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { definePageTab } from './define-extension.ts'
import { usePagedList } from './paged-list.ts'
import { renderPageTab } from './testing/render-card.tsx'
import { Pager } from './ui/Pager.tsx'

const pages: Record<string, { items: string[]; total: number; next?: string }> = {
  first: { items: ['Gate', 'Hall', 'Mast'], total: 5, next: 'second' },
  second: { items: ['Pier', 'Quay'], total: 5 },
}

function Places() {
  const list = usePagedList<string>({
    queryKey: ['places'],
    fetchPage: async ({ after = 'first' }) => pages[after] ?? { items: [], total: 0 },
  })
  return (
    <>
      <p>{list.items?.join(', ')}</p>
      <Pager list={list} label="Pages of places" count={(total) => `${total} places`} />
    </>
  )
}

test('GoogleChrome/lighthouse#9155 each page of a list states on paper which rows it has', async () => {
  await renderPageTab(definePageTab({ Component: Places }), { id: '' })
  expect(await screen.findByText('Gate, Hall, Mast')).toBeTruthy()
  expect(screen.getByText('Rows 1 to 3')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  expect(await screen.findByText('Pier, Quay')).toBeTruthy()
  expect(screen.getByText('Rows 4 to 5')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: 'Previous page' }))
  expect(await screen.findByText('Rows 1 to 3')).toBeTruthy()
})

test('a page whose rows were deleted states no rows', async () => {
  const list = {
    items: [],
    total: 3,
    isCapped: false,
    pageIndex: 1,
    before: 3,
    goNext: null,
    goBack: () => undefined,
    staleSince: null,
  }
  const Empty = () => <Pager list={list} label="Pages of places" count={(total) => `${total} places`} />
  await renderPageTab(definePageTab({ Component: Empty }), { id: '' })
  expect(screen.getByText('3 places · Page 2')).toBeTruthy()
  expect(screen.queryByText(/^Rows/)).toBeNull()
})
