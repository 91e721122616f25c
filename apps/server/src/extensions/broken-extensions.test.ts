import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { apiBase, type ErrorReply, type InstalledExtension, rootExtensionEndpoints } from '@pult/contract'
import { extensionFolder, type GivenExtension, testServer, writeExtension } from '@pult/testkit'
import { expect, test } from 'vitest'

/*
 * Broken extensions and the messages that root reads: in the list of extensions and when enabling them. An intact
 * extension beside them runs.
 */

const role = { id: 'reader', label: 'Reader', roles: ['reports'] }
const product = (sku: string) => ({ sku, label: sku, roles: [role] })
const app = (more: object = {}) => ({
  id: 'own-app',
  uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
  label: 'Own app',
  icon: 'box',
  productSku: 'reporting',
  ...more,
})
const without = (name: string) =>
  Object.fromEntries(Object.entries(app()).filter(([field]) => field !== name)) as ReturnType<typeof app>
const digest = `sha256-${'A'.repeat(43)}=`
const script = (text: string) => ({ 'entry.js': text })

interface Broken {
  /** By the folder's name, which is also the id if the manifest is readable. */
  extension: (id: string) => GivenExtension | string
  /** Damages the folder after the build. */
  spoil?: (folder: string) => Promise<unknown>
  words: string
}
const given = (manifest: object, files?: Record<string, string>): Pick<Broken, 'extension'> => ({
  extension: (id) => ({ manifest: { id, ...manifest }, ...(files && { files }) }),
})

const broken: Record<string, Broken> = {
  'bad-json': { extension: () => '{ not JSON', words: 'manifest.json is not JSON' },
  'no-object': { extension: () => '[]', words: 'expected object' },
  'no-id': { extension: () => '{"version":"1.0.0","label":"x"}', words: 'id: ' },
  'no-label': { ...given({ label: undefined }), words: 'label: ' },
  'no-version': { ...given({ version: 'latest' }), words: 'version: Must be a version such as 1.2.3' },
  'odd-version': { ...given({ version: '01.2.3' }), words: 'version: 01.2.3 is not a semantic version' },
  'unknown-field': { ...given({ secret: true }), words: 'secret' },
  'unknown-point': {
    ...given({ apps: [app({ widgets: [] })] }),
    words: 'apps[0]: Unknown extension point: widgets',
  },
  'app-without-id': { ...given({ apps: [without('id')] }), words: 'apps[0].id: ' },
  'app-without-label': { ...given({ apps: [without('label')] }), words: 'apps[0].label: ' },
  'app-without-icon': { ...given({ apps: [without('icon')] }), words: 'apps[0].icon: ' },
  'app-without-sku': { ...given({ apps: [without('productSku')] }), words: 'apps[0].productSku: ' },
  'app-without-entry': { ...given({ apps: [app()], entry: undefined }), words: 'entry: apps need a module' },
  'app-twice': { ...given({ apps: [app(), app()] }), words: 'the app own-app is taken' },
  'app-root': { ...given({ apps: [app({ id: 'root' })] }), words: 'the app root is taken' },
  'sku-no-word': {
    ...given({ products: [product('Not A Word')] }),
    words: 'products[0].sku: Must be lower-case',
  },
  'sku-twice': {
    ...given({ products: [product('two'), product('two')] }),
    words: 'the product two is taken',
  },
  'sku-root': { ...given({ products: [product('root')] }), words: 'the product root is taken' },
  'entry-upwards': { ...given({ entry: '../../evil.js' }), words: 'entry: Must be a path below' },
  'file-upwards': { ...given({ files: { '../secret.json': digest } }), words: 'Must be a path below' },
  'file-absolute': { ...given({ files: { '/etc/passwd.json': digest } }), words: 'Must be a path below' },
  'file-hidden': { ...given({ files: { 'a/.npmrc.json': digest } }), words: 'Must be a path below' },
  'file-without-digest': { ...given({ files: { 'a.js': 'sha1-x' } }), words: 'Must be a sha256 digest' },
  'file-of-a-kind': {
    ...given({}, { 'page.html': '<script>alert(1)</script>' }),
    words: 'files: page.html has a file type that is not served',
  },
  'file-missing': { ...given({ files: { 'a.js': digest } }), words: 'files: a.js is missing' },
  'file-changed': {
    ...given({}, script('export default {}')),
    spoil: (folder) => writeFile(join(folder, 'entry.js'), 'export default { evil: true }'),
    words: 'files: entry.js does not match the digest in the manifest',
  },
  'file-link': {
    ...given({}, script('export default {}')),
    async spoil(folder) {
      await rename(join(folder, 'entry.js'), join(folder, 'elsewhere'))
      await symlink(join(folder, 'elsewhere'), join(folder, 'entry.js'))
    },
    words: 'files: entry.js is a link',
  },
  'folder-link': {
    ...given({}, { 'parts/a.js': 'export default {}' }),
    async spoil(folder) {
      await rename(join(folder, 'parts'), join(folder, 'elsewhere'))
      await symlink(join(folder, 'elsewhere'), join(folder, 'parts'))
    },
    words: 'files: parts/a.js is a link',
  },
  'file-folder': {
    ...given({ files: { 'a.js': digest } }),
    spoil: (folder) => mkdir(join(folder, 'a.js')),
    words: 'files: a.js is not a file',
  },
  'manifest-link': {
    ...given({}),
    async spoil(folder) {
      await rename(join(folder, 'manifest.json'), join(folder, 'elsewhere'))
      await symlink(join(folder, 'elsewhere'), join(folder, 'manifest.json'))
    },
    words: 'manifest.json is not a file',
  },
  'manifest-large': {
    extension: () => JSON.stringify({ label: 'x'.repeat(1024 * 1024) }),
    words: 'manifest.json is larger than 1 MiB',
  },
  'entry-unlisted': {
    ...given({ entry: 'other.js' }, script('export default {}')),
    words: 'files: other.js is not listed',
  },
  'style-unlisted': {
    ...given({ styles: ['style.css'] }, script('export default {}')),
    words: 'files: style.css is not listed',
  },
  'too-many-files': {
    ...given({ files: Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`${i}.js`, digest])) }),
    words: 'files: there are more than 500',
  },
  'too-large-files': {
    ...given({}, { 'a.png': 'x'.repeat(50 * 1024 * 1024 + 1) }),
    words: 'files: with a.png the files exceed 50 MiB',
  },
  'import-foreign': {
    ...given({}, script("import lodash from 'lodash'\nexport default lodash")),
    words: 'entry.js imports lodash, which the console does not share',
  },
  'import-url': {
    ...given({}, script("export * from 'https://example.org/evil.js'")),
    words: 'entry.js imports https://example.org/evil.js',
  },
  'import-dynamic': {
    ...given({}, script("export default { register: () => import('left-pad') }")),
    words: 'entry.js imports left-pad, which the console does not share',
  },
  'no-module': { ...given({}, script('export default {')), words: 'entry.js is not an ES module' },
  'no-sdk': {
    ...given({ sdk: undefined }, script('export default {}')),
    words: 'sdk: the range of supported SDK versions',
  },
  'sdk-no-range': {
    ...given({ sdk: 'newest' }, script('export default {}')),
    words: 'sdk: newest is not a version range',
  },
  'sdk-other': {
    ...given({ sdk: '^9.0.0' }, script('export default {}')),
    words: 'it needs SDK ^9.0.0, and this console has 1.0.0',
  },
}

const sound = { manifest: { id: 'sound', products: [product('reporting')], apps: [app({ id: 'sound' })] } }
const server = await testServer({ extensionsFolder: await extensionFolder({ sound }) })
const root = await server.given.person({ isRoot: true })
for (const [id, { extension, spoil }] of Object.entries(broken)) {
  const folder = join(server.dataFolder, 'extensions', id)
  const content = extension(id)
  if (typeof content === 'string') {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'manifest.json'), content)
  } else await writeExtension(folder, content)
  await spoil?.(folder)
}
const { body: list } = await root.call(rootExtensionEndpoints.list)

/** Returns the id of the rule that a fault violates. */
function rowOf(name: string): string {
  if (name.startsWith('app-without')) return 'APP-01 APP-02'
  if (/sdk|changed/.test(name)) return 'DEC-24'
  return /^(?:file|folder|entry|style|import)-/.test(name) ? 'RULE-73' : 'DEC-21'
}

test.each(Object.entries(broken).map(([name, { words }]) => [rowOf(name), name, words]))(
  '%s %s is refused with a message that names the fault',
  async (_row, name, words) => {
    const record = list.items.find(({ id }) => id === name)
    expect(record).toMatchObject({ isEnabled: false, problem: expect.stringContaining(words) })
    expect(record?.versions).toMatchObject([{ isRunning: false, problem: record?.problem }])
    const answer = await root.call(rootExtensionEndpoints.enable, { params: { name }, body: {} })
    expect(answer).toFailWith('EXTENSION_BROKEN')
    expect((answer.body as unknown as ErrorReply).message).toBe(`${name}: ${record?.problem}`)
  },
)

test('DEC-24 DEC-41 an unreadable extension does not affect others, and other folders are not listed', () => {
  const ids = list.items.map(({ id }) => id)
  expect(new Set(ids)).toEqual(new Set(['sound', ...Object.keys(broken)]))
  expect(list.items.find(({ id }) => id === 'sound')).toMatchObject({ isEnabled: true, problem: null })
})

test('DEC-24 every reason is translated to the reader’s language', async () => {
  const inGerman = async (path: string, init: RequestInit = {}) => {
    const headers = {
      authorization: `Bearer ${root.token}`,
      'accept-language': 'de-DE',
      'content-type': 'application/json',
    }
    const answer = await fetch(`${server.url}${apiBase}${path}`, { ...init, headers })
    return (await answer.json()) as { items: InstalledExtension[] } & ErrorReply
  }
  const { items } = await inGerman('/apps/root/extensions')
  const reasons = new Map(items.map(({ id, problem }) => [id, problem]))
  expect(Object.keys(broken).filter((id) => !reasons.get(id))).toEqual([])
  expect(list.items.filter(({ id, problem }) => problem !== null && reasons.get(id) === problem)).toEqual([])
  expect(reasons.get('sdk-other')).toBe('Sie braucht das SDK ^9.0.0, und diese Konsole hat 1.0.0')
  expect(reasons.get('app-twice')).toBe('Die App own-app ist vergeben')
  expect(reasons.get('app-without-id')).toMatch(
    /^Das Manifest hält sich nicht an sein Schema: apps\[0\]\.id: /,
  )
  const refusal = await inGerman('/apps/root/extensions/file-missing/enable', { method: 'POST', body: '{}' })
  expect(refusal).toMatchObject({
    code: 'EXTENSION_BROKEN',
    message: 'file-missing: files: a.js fehlt',
  })
})

test('DEC-41 the extension id root is reserved', async () => {
  await writeExtension(join(server.dataFolder, 'extensions', 'evil'), { manifest: { id: 'root' } })
  const { body } = await root.call(rootExtensionEndpoints.list)
  expect(body.items.find(({ id }) => id === 'evil')?.problem).toContain('Must not be root, which is reserved')
  expect(body.items.some(({ id }) => id === 'root')).toBe(false)
})
