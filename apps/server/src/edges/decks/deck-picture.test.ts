import sharp from 'sharp'
import { expect, test } from 'vitest'
import { checkPicture } from './deck-picture.ts'

const picture = () => sharp({ create: { width: 20, height: 12, channels: 3, background: 'teal' } })

test.each(['png', 'jpeg', 'webp'] as const)('a deck accepts a picture of the format %s', async (format) => {
  const content = await picture().toFormat(format).toBuffer()
  await expect(checkPicture(content)).resolves.not.toThrow()
})

test.each(['gif', 'tiff', 'avif'] as const)(
  'a deck rejects a picture of the format %s, although the library reads it',
  async (format) => {
    const content = await picture().toFormat(format).toBuffer()
    expect((await sharp(content).metadata()).width).toBe(20)
    await expect(checkPicture(content)).rejects.toMatchObject({ code: 'CONTENT_MISMATCH' })
  },
)

test('a deck rejects a picture of more pixels than the limit, without decoding it', async () => {
  const large = { create: { width: 8000, height: 7000, channels: 3, background: 'black' } } as const
  const content = await sharp(large).png().toBuffer()
  await expect(checkPicture(content)).rejects.toMatchObject({ code: 'IMAGE_TOO_LARGE' })
})
