import { expectPage, openConsole, openS3Server, testServer, wallExtension } from '@pult/testkit'
import sharp from 'sharp'
import { expect, test } from 'vitest'

const extensionsFolder = await wallExtension()
const store = await openS3Server()
const server = await testServer({ withConsole: true, extensionsFolder, settings: store.settings })
const owner = await server.given.person()
await server.given.project(owner, { products: ['wall'] })

test('RULE-72 FILE-01 a browser sends a picture directly to the store and shows it from there, within the page’s policy', async () => {
  const { page, complaints } = await openConsole(server, { as: owner, path: '/app/wall' })
  const buffer = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  await expectPage(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await page.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
  const picture = page.getByRole('img', { name: 'The picture' })
  await expectPage(picture).toHaveJSProperty('naturalWidth', 40)
  expect([...store.objects.keys()].map((key) => key.split('/')[0])).toEqual(['kept'])
  expect([store.refusals, complaints]).toEqual([[], []])
})

test('RULE-67 breeze#2951 a large file reaches the store in parts, and only the part that was interrupted is sent again', async () => {
  const { page } = await openConsole(server, { as: owner, path: '/app/wall' })
  const size = 20 * 1024 * 1024
  const buffer = Buffer.concat([
    await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
      .png()
      .toBuffer(),
    Buffer.alloc(size),
  ]).subarray(0, size)
  const sent: string[] = []
  await page.route(`${store.url}/**`, async (route) => {
    if (route.request().method() !== 'PUT') return route.fallback()
    sent.push(new URL(route.request().url()).searchParams.get('partNumber') ?? 'whole')
    return sent.length === 2 ? route.abort('connectionreset') : route.fallback()
  })
  await expectPage(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  await page.locator('input[type=file]').setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer })
  await expectPage(page.getByRole('figure').filter({ hasText: `b.png ${size}` })).toBeVisible()
  expect(sent).toEqual(['1', '2', '2', '3'])
  expect([...store.objects.values()].some(({ body }) => body.equals(buffer))).toBe(true)
  expect([store.unfinished.size, store.refusals]).toEqual([0, []])
})
