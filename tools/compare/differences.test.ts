import sharp from 'sharp'
import { expect, test } from 'vitest'
import { differenceOfLines, differenceOfPictures, markdownOf, type Report, summaryOf } from './differences.ts'

const grey = { r: 120, g: 120, b: 120 }

/** A grey picture with a rectangle. */
async function picture({ width = 20, height = 10, box = 0, color = { r: 255, g: 255, b: 255 } } = {}) {
  const canvas = sharp({ create: { width, height, channels: 3, background: grey } })
  if (box === 0) return canvas.png().toBuffer()
  const input = await sharp({ create: { width: box, height: 1, channels: 3, background: color } })
    .png()
    .toBuffer()
  return canvas
    .composite([{ input, left: 2, top: 3 }])
    .png()
    .toBuffer()
}

test('equal pictures have no difference', async () => {
  expect(await differenceOfPictures(await picture(), await picture())).toBeNull()
})

test('a difference of a few shades or of three pixels counts as equal', async () => {
  const shade = { r: 126, g: 120, b: 113 }
  expect(await differenceOfPictures(await picture(), await picture({ box: 9, color: shade }))).toBeNull()
  expect(await differenceOfPictures(await picture(), await picture({ box: 3 }))).toBeNull()
})

test('a difference of pictures counts its pixels and marks them red over the dimmed picture', async () => {
  const difference = await differenceOfPictures(await picture(), await picture({ box: 5 }))
  expect(difference?.pixels).toBe(5)
  const { data, info } = await sharp(difference?.marked).raw().toBuffer({ resolveWithObject: true })
  const pixelAt = (x: number, y: number) => [
    ...data.subarray((y * info.width + x) * info.channels).subarray(0, 3),
  ]
  expect(pixelAt(2, 3)).toEqual([230, 0, 0])
  expect(pixelAt(7, 3)).toEqual([190, 190, 190])
})

test('pictures of different sizes differ by the pixels that only one of them has', async () => {
  const taller = await picture({ height: 12 })
  expect((await differenceOfPictures(await picture(), taller))?.pixels).toBe(40)
  expect((await differenceOfPictures(taller, await picture()))?.pixels).toBe(40)
})

test('a difference of texts contains only changed lines, in their order', () => {
  expect(differenceOfLines('a\nb\nc', 'a\nb\nc')).toEqual([])
  expect(differenceOfLines('a\nb\nc', 'a\nx\nc\nd')).toEqual(['- b', '+ x', '+ d'])
  expect(differenceOfLines('a\nb', 'b\na')).toEqual(['- a', '+ a'])
})

test('a report counts the differences of each kind and contains their content', () => {
  const report: Report = {
    before: 'abc',
    after: 'def',
    compared: { picture: 4, tree: 2, focus: 2, requests: 1, visit: 2 },
    differences: [{ kind: 'tree', name: 'home de 1200', content: '- link' }],
    notes: ['drawer: left out'],
  }
  expect(summaryOf(report)).toContain('Accessibility trees: 1 of 2 differ')
  expect(summaryOf(report)).toContain('Pictures: 0 of 4 differ')
  const text = markdownOf(report)
  expect(text).toContain('# Differences from abc to def')
  expect(text).toContain('### home de 1200\n\n- link')
  expect(text).not.toContain('## Pictures')
  expect(text).toContain('- drawer: left out')
})
