import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { extensionFolder } from '@pult/testkit'
import { expect, test } from 'vitest'
import { findExtensions } from './library.ts'

const role = { id: 'reader', label: 'Reader', roles: ['reports'] }
const product = (sku: string) => ({ sku, label: sku, roles: [role] })
const app = (id: string, more: object = {}) => ({
  id,
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: id,
  icon: 'box',
  productSku: 'reporting',
  ...more,
})
const nowhere = '/there/is/no/such/folder'

/** By folder: null when it can be used, else what is wrong. */
async function problemsIn(extensions: Parameters<typeof extensionFolder>[0]) {
  const bundled = await extensionFolder(extensions)
  const found = await findExtensions({ bundled, installed: nowhere })
  return found.map(({ id, content }) => [id, 'problem' in content ? content.problem : null])
}

test('DEC-22 what cannot be read keeps nothing else away, and says why', async () => {
  const bundled = await extensionFolder({
    a: { manifest: { id: 'reports', products: [product('reporting')], apps: [app('reports')] } },
    b: '{ not JSON',
    c: { manifest: { id: 'c', secret: true } },
    d: { manifest: { id: 'd', products: [product('Not A Word')] } },
    e: { manifest: { id: 'reports' } },
    f: { manifest: { id: 'f', products: [product('reporting')] } },
    g: { manifest: { id: 'g', apps: [app('reports')] } },
    h: { manifest: { id: 'h', products: [product('twice'), product('twice')] } },
    i: { manifest: { id: 'i', entry: '../../etc/passwd.js' } },
    z: { manifest: { id: 'z', products: [product('other')] } },
  })
  await mkdir(join(bundled, 'empty'))
  const found = await findExtensions({ bundled, installed: nowhere })
  expect(found.map(({ id, content }) => [id, 'problem' in content ? content.problem : null])).toEqual([
    ['reports', null],
    ['b', 'manifest.json is not JSON'],
    ['c', expect.stringContaining('secret')],
    ['d', expect.stringContaining('products[0].sku')],
    ['reports', 'there is an extension called reports already'],
    ['f', 'the product reporting is taken'],
    ['g', 'the app reports is taken'],
    ['h', 'the product twice is taken'],
    ['i', expect.stringContaining('entry')],
    ['z', null],
  ])
  expect(await findExtensions({ bundled: nowhere, installed: nowhere })).toEqual([])
})

test('DEC-41 no extension may have the id root, nor bring the product of root apps', async () => {
  expect(
    await problemsIn({
      a: { manifest: { id: 'root' } },
      b: { manifest: { id: 'b', products: [product('root')] } },
      c: { manifest: { id: 'c', apps: [app('admin', { productSku: 'root' })] } },
    }),
  ).toEqual([
    ['a', expect.stringContaining('No extension may be called root')],
    ['b', 'the product root is taken'],
    ['c', null],
  ])
})

test.each(['id', 'label', 'icon', 'productSku'])(
  'APP-01 APP-02 an app without %s is an error that names it',
  async (field) => {
    const { [field as 'id']: _, ...incomplete } = app('reports')
    expect(await problemsIn({ a: { manifest: { id: 'reports', apps: [incomplete as never] } } })).toEqual([
      ['a', expect.stringContaining(`apps[0].${field}`)],
    ])
  },
)
