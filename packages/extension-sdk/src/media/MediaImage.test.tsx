import type { MediaSource } from '@pult/contract'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { MediaImage } from './MediaImage.tsx'

afterEach(cleanup)

const fileId = '0193a3f0-0000-7000-8000-000000000001'
const linkUntil = (until: number, id = fileId) => `/api/files/${id}/content?until=${until}&signature=s`
const sourceWith = (url: string): MediaSource => ({
  type: 'image',
  formats: [{ name: 'original', mime: 'image/png', url, size: 1, meta: { width: 4, height: 3 } }],
})

test('MEDIA-01 a loaded picture keeps its link when links are renewed, until it fails or shows another file', () => {
  const [first, renewed] = [linkUntil(1_800_000_000), linkUntil(1_800_009_999)]
  const other = linkUntil(1_800_009_999, fileId.replace(/1$/, '2'))
  const { rerender } = render(<MediaImage source={sourceWith(first)} alt="Quay" />)
  const picture = screen.getByRole('img', { name: 'Quay' })
  fireEvent.load(picture)
  rerender(<MediaImage source={sourceWith(renewed)} alt="Quay" />)
  expect(picture.getAttribute('src')).toBe(first)
  fireEvent.error(picture)
  expect(picture.getAttribute('src')).toBe(renewed)
  fireEvent.load(picture)
  rerender(<MediaImage source={sourceWith(other)} alt="Quay" />)
  expect(picture.getAttribute('src')).toBe(other)
})
