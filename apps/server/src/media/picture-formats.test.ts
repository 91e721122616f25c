import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import { loadSharp } from '#platform/files/load-sharp.ts'
import { pictureSize } from '#platform/files/picture-size.ts'
import { formatsOfPicture, type MadeFormat, readPicture } from './picture-formats.ts'
import { animatedPng, pngChunk } from './testing/animated-png.ts'

const folder = await mkdtemp(join(tmpdir(), 'pult-test-pictures-'))
afterAll(() => rm(folder, { recursive: true }))

const signal = new AbortController().signal

let count = 0
async function file(content: Buffer | string): Promise<string> {
  count += 1
  const path = join(folder, `${count}`)
  await writeFile(path, content)
  return path
}

const plain = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp({ create: { width, height, channels, background: { r: 20, g: 90, b: 160, alpha: 0.5 } } })

async function formatsOf(path: string, reading = {}): Promise<MadeFormat[]> {
  const made: MadeFormat[] = []
  for await (const format of formatsOfPicture(path, signal, reading)) made.push(format)
  return made
}

const shapes = (formats: MadeFormat[]) =>
  formats.map(({ name, mime, width, height }) => [name, mime, width, height])

/** Creates a GIF with `frames` frames of 400 x 300 pixels. */
async function animation(frames: number, width = 400, height = 300): Promise<Buffer> {
  const pictures = await Promise.all(
    Array.from({ length: frames }, (_, index) =>
      sharp({ create: { width, height, channels: 3, background: { r: index * 40, g: 0, b: 0 } } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp(pictures, { join: { animated: true } })
    .gif({ effort: 1, dither: 0, colours: 4 })
    .toBuffer()
}

test('MEDIA-01 a picture is converted to three sizes and a fallback, each with its width and height', async () => {
  const large = await file(await plain(4000, 3000).jpeg().toBuffer())
  expect(shapes(await formatsOf(large))).toEqual([
    ['thumb', 'image/webp', 320, 240],
    ['medium', 'image/webp', 1024, 768],
    ['large', 'image/webp', 2048, 1536],
    ['medium', 'image/jpeg', 1024, 768],
  ])
})

test('MEDIA-01 no format is larger than the picture, and a transparent picture stays transparent', async () => {
  const small = await file(await plain(100, 60).jpeg().toBuffer())
  expect(shapes(await formatsOf(small))).toEqual([
    ['thumb', 'image/webp', 100, 60],
    ['thumb', 'image/jpeg', 100, 60],
  ])
  const transparent = await formatsOf(await file(await plain(700, 1400, 4).png().toBuffer()))
  expect(shapes(transparent)).toEqual([
    ['thumb', 'image/webp', 160, 320],
    ['medium', 'image/webp', 512, 1024],
    ['large', 'image/webp', 700, 1400],
    ['medium', 'image/png', 512, 1024],
  ])
  for (const { content } of transparent) expect((await sharp(content).metadata()).hasAlpha).toBe(true)
})

test('MEDIA-01 the camera’s orientation is applied, and its location data is removed', async () => {
  const exif = {
    IFD0: { Copyright: 'kanarienvogel' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '53/1 33/1 0/1' },
  }
  const path = await file(
    await plain(800, 600).jpeg().withExif(exif).withMetadata({ orientation: 6 }).toBuffer(),
  )
  expect((await sharp(path).metadata()).exif).toBeDefined()
  expect(await readPicture(path)).toMatchObject({ width: 600, height: 800 })
  const formats = await formatsOf(path)
  expect(shapes(formats)[0]).toEqual(['thumb', 'image/webp', 240, 320])
  for (const { content } of formats) {
    const { exif: written, xmp, iptc, orientation } = await sharp(content).metadata()
    expect([written, xmp, iptc, orientation]).toEqual([undefined, undefined, undefined, undefined])
    expect(content.includes('kanarienvogel')).toBe(false)
  }
})

test('MEDIA-01 an animation moves in all formats but the fallback', async () => {
  const formats = await formatsOf(await file(await animation(3)))
  expect(shapes(formats)).toEqual([
    ['thumb', 'image/webp', 320, 240],
    ['medium', 'image/webp', 400, 300],
    // A GIF can always be transparent.
    ['medium', 'image/png', 400, 300],
  ])
  const pages = await Promise.all(
    formats.map(async ({ content }) => (await sharp(content).metadata()).pages ?? 1),
  )
  expect(pages).toEqual([3, 3, 1])
  expect(formats.map(({ isAnimated }) => isAnimated)).toEqual([true, true, false])
})

test('MEDIA-01 a small GIF moves in its only WebP format', async () => {
  const formats = await formatsOf(await file(await animation(4, 200, 150)))
  expect(shapes(formats)).toEqual([
    ['thumb', 'image/webp', 200, 150],
    ['thumb', 'image/png', 200, 150],
  ])
  expect((await sharp(formats[0]?.content).metadata()).pages).toBe(4)
})

test('MEDIA-01 a thumb of too many bytes is a still, unless it is the only WebP format', async () => {
  const moving = async (width: number) =>
    (await formatsOf(await file(await animation(3, width)), { movingThumb: 100 })).map(
      ({ isAnimated }) => isAnimated,
    )
  expect(await moving(400)).toEqual([false, true, false])
  expect(await moving(320)).toEqual([true, false])
})

test('MEDIA-01 an animated WebP with an orientation moves, and is oriented as browsers show it', async () => {
  const path = await file(
    await sharp(await animation(3), { animated: true })
      .webp()
      .withMetadata({ orientation: 6 })
      .toBuffer(),
  )
  expect((await sharp(path).metadata()).orientation).toBe(6)
  const formats = await formatsOf(path)
  expect(shapes(formats)[1]).toEqual(['medium', 'image/webp', 400, 300])
  expect(formats.map(({ isAnimated }) => isAnimated)).toEqual([true, true, false])
})

test('MEDIA-01 an animated PNG or AVIF is recognised, however long the chunks before its frames are', async () => {
  const isAnimated = async (content: Buffer) => (await readPicture(await file(content))).isAnimated
  const still = await plain(30, 20).png().toBuffer()
  expect(await isAnimated(still)).toBe(false)
  expect(await isAnimated(animatedPng(3))).toBe(true)
  expect(await isAnimated(animatedPng(1))).toBe(false)
  expect(await isAnimated(animatedPng(3, [pngChunk('prVt', Buffer.alloc(200_000))]))).toBe(true)
  const avif = await plain(30, 20).avif({ effort: 0 }).toBuffer()
  expect(await isAnimated(avif)).toBe(false)
  // The first of the compatible brands.
  const sequence = Buffer.from(avif)
  sequence.write('avis', 16, 'latin1')
  expect(await isAnimated(sequence)).toBe(true)
})

test.each([
  ['a JPEG without its end', 'jpeg', 0.93],
  ['the first tenth of a JPEG', 'jpeg', 0.1],
  ['half a PNG', 'png', 0.5],
] as const)('MEDIA-01 %s is read as far as browsers show it', async (_name, format, share) => {
  const whole = await plain(900, 600).toFormat(format).toBuffer()
  const path = await file(whole.subarray(0, whole.length * share))
  await expect(formatsOf(path)).rejects.toMatchObject({ code: 'CONTENT_MISMATCH' })
  expect(shapes(await formatsOf(path, { isTolerant: true }))[0]).toEqual(['thumb', 'image/webp', 320, 213])
})

test('RULE-68 a broken, oversized or unsupported picture is refused with a message', async () => {
  const whole = await plain(900, 900).png().toBuffer()
  const refused = async (content: Buffer | string) => {
    try {
      return shapes(await formatsOf(await file(content)))
    } catch (error) {
      return error
    }
  }
  const broken = { code: 'CONTENT_MISMATCH', message: 'The picture is broken. It stays as it was uploaded' }
  expect(await refused(whole.subarray(0, whole.length / 2))).toMatchObject(broken)
  expect(await refused('not a picture')).toMatchObject(broken)
  expect(await refused('')).toMatchObject(broken)
  // Formats of other programs, including documents with scripts, are not decoded.
  expect(await refused('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')).toMatchObject(
    broken,
  )
  expect(await refused(await plain(9, 9).tiff().toBuffer())).toMatchObject(broken)
  const huge = await sharp({ create: { width: 8000, height: 7000, channels: 3, background: 'black' } })
    .png()
    .toBuffer()
  expect(await refused(huge)).toMatchObject({ code: 'IMAGE_TOO_LARGE' })
})

test('RULE-68 an uploaded TIFF is still measured after formats were made', async () => {
  await formatsOf(await file(await plain(9, 9).png().toBuffer()))
  const tiff = await file(await plain(9, 7).tiff().toBuffer())
  expect(await pictureSize(tiff, 'tiff')).toEqual({ width: 9, height: 7 })
})

test('RULE-68 an animation whose frames together exceed the pixel limit is shown by its first frame', async () => {
  const bomb = await file(await animation(3, 4100, 4100))
  const formats = await formatsOf(bomb)
  expect((await sharp(bomb).metadata()).pages).toBe(3)
  expect((await sharp(formats[1]?.content).metadata()).pages ?? 1).toBe(1)
})

test('DEC-27 no further formats are made after the task has ended', async () => {
  const path = await file(await plain(3000, 2000).jpeg().toBuffer())
  const stop = new AbortController()
  const made: string[] = []
  const making = (async () => {
    for await (const { name } of formatsOfPicture(path, stop.signal)) {
      made.push(name)
      stop.abort()
    }
  })()
  await expect(making).rejects.toThrow('aborted')
  expect(made).toEqual(['thumb'])
})

test('RULE-68 each picture uses one thread, and no decoded picture stays in memory', async () => {
  const library = await loadSharp()
  expect(library.concurrency()).toBe(1)
  expect(library.cache()).toMatchObject({ memory: { max: 0 }, files: { max: 0 }, items: { max: 0 } })
})
