import { extensionFolder } from './extension-folder.ts'

const entry = `
import { createElement as h, useState } from 'react'
import { defineExtension, useApi, useProject } from '@pult/sdk'
import { fileEndpoints } from '@pult/sdk/api'
import { FileUpload } from '@pult/sdk/ui'

function Wall() {
  const { _id: project } = useProject()
  const call = useApi()
  const [pictures, setPictures] = useState([])
  const onUploaded = async ({ _id: fileId, name, size }) => {
    const { url } = await call(fileEndpoints.link, { params: { fileId } })
    setPictures((now) => [...now, { fileId, url, caption: name + ' ' + size }])
  }
  return h('section', { 'aria-label': 'Wall' }, h(FileUpload, { project, onUploaded }),
    pictures.map(({ fileId, url, caption }) =>
      h('figure', { key: fileId }, h('img', { src: url, alt: 'The picture' }), h('figcaption', null, caption))))
}
const routes = [{ name: 'app-wall', path: '', Component: Wall }]
export default defineExtension({
  register: ({ registerApp }) => registerApp({ id: 'wall', loader: async () => ({ default: { routes } }) }),
})
`

/**
 * Creates a folder of extensions with one, `wall`: its app at `/app/wall` uploads pictures to the project with the
 * SDK's `FileUpload`, and shows each from its stored address, with its name and size. The project needs the product
 * `wall`.
 */
export async function wallExtension(): Promise<string> {
  const app: { id: string; label: string } & Record<string, string> = {
    id: 'wall',
    uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d22',
    label: 'Wall',
    icon: 'image',
    productSku: 'wall',
  }
  const products = [{ sku: 'wall', label: 'Wall', roles: [] }]
  return extensionFolder({
    wall: { manifest: { id: 'wall', products, apps: [app] }, files: { 'entry.js': entry } },
  })
}
