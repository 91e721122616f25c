import type { MediaFormat, MediaSource } from '@pult/contract'
import { expect, test } from 'vitest'
import { formatFor, imageFormats } from './media-image.ts'

const format = (name: string, mime: string, width: number | null, height: number | null): MediaFormat => ({
  name,
  mime,
  url: `/${name}.${mime.split('/')[1]}`,
  size: 1,
  meta: { width, height },
})
const photo: MediaSource = {
  type: 'image',
  formats: [
    format('original', 'image/jpeg', 4000, 3000),
    format('medium', 'image/jpeg', 1024, 768),
    format('large', 'image/webp', 2048, 1536),
    format('medium', 'image/webp', 1024, 768),
    format('thumb', 'image/webp', 320, 240),
  ],
}

test('MEDIA-01 an image offers all WebP widths, and a fallback that every browser supports', () => {
  expect(imageFormats(photo)).toEqual({
    srcSet: '/large.webp 2048w, /medium.webp 1024w, /thumb.webp 320w',
    src: '/medium.jpeg',
    width: 4000,
    height: 3000,
  })
})

test('MEDIA-01 an image without formats falls back to the original, and a sound has no image', () => {
  const fresh = { type: 'image' as const, formats: [format('original', 'image/png', null, null)] }
  expect(imageFormats(fresh)).toEqual({ srcSet: undefined, src: '/original.png', width: null, height: null })
  expect(imageFormats({ type: 'audio', formats: [format('original', 'audio/mpeg', null, null)] })).toBeNull()
})

test('MEDIA-01 an animation moves, and users who prefer reduced motion get a still', () => {
  const moving = (one: MediaFormat): MediaFormat => ({ ...one, isAnimated: true })
  const still = format('thumb', 'image/png', 200, 150)
  const gif = moving(format('original', 'image/gif', 200, 150))
  const converted = {
    type: 'image' as const,
    formats: [gif, still, moving(format('thumb', 'image/webp', 200, 150))],
  }
  expect(imageFormats(converted)).toMatchObject({
    srcSet: '/thumb.webp 200w',
    src: '/thumb.png',
    still: '/thumb.png',
  })
  expect(imageFormats(converted, { isPlayed: true })?.still).toBeUndefined()

  // Only the original moves.
  const kept = { type: 'image' as const, formats: [gif, still, format('thumb', 'image/webp', 200, 150)] }
  const asUploaded = { srcSet: undefined, src: '/original.gif' }
  expect(imageFormats(kept)).toMatchObject({ ...asUploaded, still: '/thumb.png' })
  const large = { ...kept, formats: [{ ...gif, size: 5 * 1024 * 1024 }, ...kept.formats.slice(1)] }
  expect(imageFormats(large)).toMatchObject({ srcSet: '/thumb.webp 200w', still: undefined })
  expect(imageFormats(large, { isPlayed: true })).toMatchObject({ ...asUploaded, still: undefined })
})

test('MEDIA-01 formatFor returns the smallest format that is wide enough', () => {
  const at = (width: number) => formatFor(photo, width)?.meta.width
  expect([1, 320, 321, 1500, 2048, 9999].map(at)).toEqual([320, 320, 1024, 2048, 2048, 2048])
  const fresh = { type: 'image' as const, formats: [format('original', 'image/png', null, null)] }
  expect(formatFor(fresh, 100)?.name).toBe('original')
})
