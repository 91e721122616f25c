import { describe, expect, test } from 'vitest'
import { readListPage } from './list-page.ts'

const hall = { _id: 'a', label: 'Hall' }
const gate = { _id: 'b', label: 'Gate' }
const rows = [
  { id: 'a', item: hall },
  { id: 'b', item: gate },
]

describe('CRUD-07 the response of a list', () => {
  test.each([
    ['items with a total', { items: [hall, gate], total: 7 }, 7],
    ['items with a countTotal', { items: [hall, gate], countTotal: 7 }, 7],
    ['a bare array', [hall, gate], 2],
    ['items alone', { items: [hall, gate] }, 2],
  ])('CRUD-07 may be %s', (_name, answer, total) => {
    expect(readListPage(answer)).toEqual({ rows, total, isCapped: false, next: null })
  })

  test('CRUD-07 DEC-42 contains the cursor of the next page, and whether the count is capped', () => {
    const answer = { items: [hall], total: 10_000, totalIsCapped: true, next: 'b' }
    expect(readListPage(answer)).toMatchObject({ total: 10_000, isCapped: true, next: 'b' })
  })

  test('CRUD-07 the id of an item is its _id unless the resource names another', () => {
    const bySku = ({ sku }: { sku: string }) => sku
    expect(readListPage([{ sku: 'x', _id: 'a' }], bySku).rows[0]?.id).toBe('x')
    expect(() => readListPage([{ sku: 'x' }])).toThrow('_id')
  })

  test('CRUD-07 any other response is rejected', () => {
    expect(() => readListPage({ records: [] })).toThrow('not a list')
  })
})
