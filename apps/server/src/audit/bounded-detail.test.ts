import { expect, test } from 'vitest'
import { boundedDetail, detailBytesMost } from './bounded-detail.ts'

const read = (detail: Record<string, unknown>) => JSON.parse(boundedDetail(detail)) as unknown

test('a detail of usual size stays as it is', () => {
  const detail = { label: 'ü'.repeat(200), from: { label: 'Old' }, count: 3, none: undefined }
  expect(read(detail)).toEqual({ label: 'ü'.repeat(200), from: { label: 'Old' }, count: 3 })
})

test('a large detail keeps its small values and the sizes of the others', () => {
  const detail = { label: 'Quay', rule: ['x'.repeat(detailBytesMost)], none: undefined }
  expect(read(detail)).toEqual({ label: 'Quay', rule: { bytes: detailBytesMost + 4 } })
})

test('a detail of very many values keeps its size only', () => {
  const detail = Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`field ${index}`, index]))
  expect(read(detail)).toEqual({ bytes: Buffer.byteLength(JSON.stringify(detail)) })
})
