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
