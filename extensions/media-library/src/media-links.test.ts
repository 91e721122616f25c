import { type MediaItem, mediaEndpoints } from '@pult/contract'
import { expectPage, openConsole, taskEnd, testServer, upload } from '@pult/testkit'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 90_000 })
const server = await testServer({ withConsole: true })
const { given } = server

const path = '/app/media-library'
const lifetime = 60_000
/** Browsers load lazy pictures several screens ahead. */
const many = 201

async function givenMedium(name: string, contentType: string, content: Buffer) {
  const owner = await given.person()
  const { projectId } = await given.project(owner, { products: ['project', 'media-library'] })
  const file = await upload(server, owner, { name, contentType, content, project: projectId })
  const { body } = await owner.call(mediaEndpoints.create, { params: { projectId }, body: { file } })
  if (body.task !== null) await taskEnd(owner, { _id: body.task, project: projectId })
  const open = (to = path) => openConsole(server, { as: owner, path: to })
  return { _id: body._id, open }
}

/**
 * Shortens the lifetime of the links in the answers to a minute of the page's clock, which `pass` advances. It makes
 * copies of the first medium of a list.
 */
async function shortenLinks(page: Page, copies: number) {
  let now = Date.now()
  const seen = { loaded: [] as string[], expired: 0 }
  const shorten = (json: string, copy: number) =>
    json.replaceAll(/until=(\d+)/g, `until=${Math.ceil((now + lifetime) / 1000)}&copy=${copy}&real=$1`)
  await page.route(/\/media(?:\/[0-9a-f-]{36})?(?:\?|$)/, async (route) => {
    if (route.request().resourceType() !== 'fetch') return route.fallback()
    const response = await route.fetch()
    const body: unknown = await response.json()
    if (!isList(body)) return route.fulfill({ response, body: shorten(JSON.stringify(body), 0) })
    const [item] = body.items
    const items = Array.from({ length: copies }, (_, index): unknown => {
      const _id = item?._id.slice(0, -3) + String(index).padStart(3, '0')
      return JSON.parse(shorten(JSON.stringify({ ...item, _id, label: `Picture ${index}` }), index))
    })
    return route.fulfill({ response, json: { ...body, items } })
  })
  await page.route(/\/content\?/, async (route) => {
    const url = new URL(route.request().url())
    const { searchParams } = url
    if (Number(searchParams.get('until')) * 1000 <= now) {
      seen.expired += 1
      return route.fulfill({ status: 404 })
    }
    seen.loaded.push(`${searchParams.get('copy')}`)
    searchParams.set('until', searchParams.get('real') ?? '')
    searchParams.delete('real')
    searchParams.delete('copy')
    return route.continue({ url: url.href })
  })
  await page.clock.install({ time: now })
  const pass = async (milliseconds: number) => {
    now += milliseconds
    await page.clock.fastForward(milliseconds)
  }
  return { seen, pass }
}

const isList = (body: unknown): body is { items: MediaItem[] } =>
  typeof body === 'object' && body !== null && 'items' in body && 'counts' in body

test('MEDIA-01 pictures of a page that stays open beyond the lifetime of its links load, and loaded ones do not load again', async () => {
  const content = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const { open } = await givenMedium('quay.png', 'image/png', content)
  const { page } = await open('/')
  const { seen, pass } = await shortenLinks(page, many)
  await page.goto(`${server.url}${path}`)
  const pictures = page.getByRole('list', { name: 'Media' }).locator('img')
  await expectPage(pictures).toHaveCount(many)
  const isLoaded = (index: number) =>
    pictures.nth(index).evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0)
  for (const index of [0, 1, 2, 3, 4]) await expect.poll(() => isLoaded(index)).toBe(true)
  const src = () => pictures.first().evaluate((image: HTMLImageElement) => image.currentSrc)
  const first = await src()
  const awaited = await pictures.last().getAttribute('src')

  await pass(50_000)
  await expectPage(pictures.last()).not.toHaveAttribute('src', awaited ?? '')
  await pass(20_000)
  for (let index = 0; index < many; index += 20) {
    await pictures.nth(index).scrollIntoViewIfNeeded()
    await expect.poll(() => isLoaded(index)).toBe(true)
  }
  expect([await src(), seen.expired]).toEqual([first, 0])
  expect(seen.loaded.filter((copy) => Number(copy) < 5).toSorted()).toEqual(['0', '1', '2', '3', '4'])
})

test('MEDIA-01 pictures load after a sleep in which their links have expired', async () => {
  const content = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const { open } = await givenMedium('quay.png', 'image/png', content)
  const { page } = await open('/')
  const { pass } = await shortenLinks(page, many)
  await page.goto(`${server.url}${path}`)
  const pictures = page.getByRole('list', { name: 'Media' }).locator('img')
  await expectPage(pictures).toHaveCount(many)
  await pass(300_000)
  await pictures.last().scrollIntoViewIfNeeded()
  await expect
    .poll(() => pictures.last().evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0)
})

test('MEDIA-01 a sound continues at the chosen position after its link has expired', async () => {
  const { open, _id } = await givenMedium('sea.wav', 'audio/wav', silence(2400))
  const { page } = await open('/')
  const { seen, pass } = await shortenLinks(page, 1)
  await page.goto(`${server.url}${path}/edit/${_id}`)
  const sound = page.locator('audio')
  await sound.evaluate(async (audio: HTMLAudioElement) => {
    audio.muted = true
    await audio.play()
  })
  const time = () => sound.evaluate((audio: HTMLAudioElement) => audio.currentTime)
  await expect.poll(time).toBeGreaterThan(0)
  await pass(70_000)
  await sound.evaluate((audio: HTMLAudioElement) => {
    audio.currentTime = 2000
  })
  await expect.poll(time).toBeGreaterThan(2000)
  expect(await sound.evaluate((audio: HTMLAudioElement) => [audio.error, audio.paused])).toEqual([
    null,
    false,
  ])
  expect(seen.expired).toBeGreaterThan(0)
})

test('MEDIA-01 a sound continues at the chosen position after the store’s address behind its link has expired', async () => {
  const { open, _id } = await givenMedium('sea.wav', 'audio/wav', silence(2400))
  const { page } = await open('/')
  let refusals = 0
  await page.route(/\/content\?/, (route) => {
    if (refusals === 0) return route.continue()
    refusals -= 1
    return route.fulfill({ status: 403 })
  })
  await page.goto(`${server.url}${path}/edit/${_id}`)
  const sound = page.locator('audio')
  await sound.evaluate(async (audio: HTMLAudioElement) => {
    audio.muted = true
    await audio.play()
  })
  const time = () => sound.evaluate((audio: HTMLAudioElement) => audio.currentTime)
  await expect.poll(time).toBeGreaterThan(0)
  refusals = 1
  await sound.evaluate((audio: HTMLAudioElement) => {
    audio.currentTime = 2000
  })
  await expect.poll(time).toBeGreaterThan(2000)
  expect(refusals).toBe(0)
  expect(await sound.evaluate((audio: HTMLAudioElement) => [audio.error, audio.paused])).toEqual([
    null,
    false,
  ])
})

/** Returns a WAV file of 8,000 bytes per second. */
function silence(seconds: number): Buffer {
  const size = seconds * 8000
  const head = Buffer.from('RIFF\0\0\0\0WAVEfmt ', 'latin1')
  head.writeUInt32LE(size + 36, 4)
  const format = Buffer.alloc(20)
  format.writeUInt32LE(16, 0)
  format.writeUInt16LE(1, 4)
  format.writeUInt16LE(1, 6)
  format.writeUInt32LE(8000, 8)
  format.writeUInt32LE(8000, 12)
  format.writeUInt16LE(1, 16)
  format.writeUInt16LE(8, 18)
  const data = Buffer.from('data\0\0\0\0', 'latin1')
  data.writeUInt32LE(size, 4)
  return Buffer.concat([head, format, data, Buffer.alloc(size, 128)])
}

test('MEDIA-01 a small animation moves in the grid and on its page, and only on request with reduced motion', async () => {
  const frames = await Promise.all(
    ['teal', 'tomato', 'gold'].map((background) =>
      sharp({ create: { width: 200, height: 150, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer()
  const { open, _id } = await givenMedium('wave.gif', 'image/gif', gif)
  const opened = await open()
  const { page } = opened
  const framesOf = (picture: ReturnType<Page['locator']>) =>
    picture.evaluate(async (image: HTMLImageElement) => {
      await image.decode()
      const { headers, body } = await fetch(image.currentSrc)
      const decoder = new ImageDecoder({
        data: body as ReadableStream,
        type: headers.get('content-type') ?? '',
      })
      await decoder.completed
      return decoder.tracks.selectedTrack?.frameCount
    })
  const inGrid = page.getByRole('list', { name: 'Media' }).locator('img')
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  expect(await framesOf(inGrid)).toBe(3)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${server.url}${path}/edit/${_id}`)
  const onPage = page.getByRole('img', { name: 'wave' })
  expect(await framesOf(onPage)).toBe(1)
  await opened.expectAccessible()
  await page.getByRole('button', { name: 'Play animation' }).click()
  await expectPage(page.getByRole('button', { name: 'Stop animation' })).toBeVisible()
  expect(await framesOf(onPage)).toBe(3)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await expectPage(page.getByRole('button', { name: 'Stop animation' })).toBeHidden()
})
