import { expectPage, extensionFolder, openConsole, openS3Server, testServer } from '@pult/testkit'
import sharp from 'sharp'
import { expect, test } from 'vitest'

/** Uploads a picture to the project and shows it from its stored address. */
const entry = `
import { createElement as h, useState } from 'react'
import { defineExtension, useApi, useProject } from '@pult/sdk'
import { fileEndpoints } from '@pult/sdk/api'
import { FileUpload } from '@pult/sdk/ui'

function Wall() {
  const { _id } = useProject()
  const call = useApi()
  const [url, setUrl] = useState(null)
  const onUploaded = async (file) => setUrl((await call(fileEndpoints.link, { params: { fileId: file._id } })).url)
  return h('div', null, h(FileUpload, { project: _id, onUploaded }),
    url !== null && h('img', { src: url, alt: 'The picture' }))
}
const routes = [{ name: 'app-wall', path: '', Component: Wall }]
export default defineExtension({
  register: ({ registerApp }) => registerApp({ id: 'wall', loader: async () => ({ default: { routes } }) }),
})
`
const extensionsFolder = await extensionFolder({
  wall: {
    manifest: {
      id: 'wall',
      products: [{ sku: 'wall', label: 'Wall', roles: [] }],
      apps: [
        {
          id: 'wall',
          uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d22',
          label: 'Wall',
          icon: 'image',
          productSku: 'wall',
        } as { id: string; label: string },
      ],
    },
    files: { 'entry.js': entry },
  },
})
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
