import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { AppError } from '#platform/app-error.ts'
import { readExport } from './read-export.ts'

const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()
const mediumPath = 'media/018f0000-0000-7000-8000-000000000001'

const project = {
  label: 'Messe',
  meta: { customer: '', projectId: '' },
  config: {},
  products: ['project'],
  owner: { email: 'ada@example.org', firstname: 'Ada', lastname: 'Lovelace' },
  organisation: null,
  grants: [],
}
const medium = { label: 'Stand', tags: ['a'], mime: 'image/png', path: mediumPath }

type Entries = Record<string, string | Buffer>
const usual = (): Entries => ({
  'project.json': JSON.stringify(project),
  'tasks.jsonl': '',
  'media.json': JSON.stringify([medium]),
  [mediumPath]: picture,
})

const manifestOf = (entries: Entries, changes: object = {}) =>
  JSON.stringify({
    format: 'pult-project',
    version: 1,
    createdAt: '2026-01-01T00:00:00Z',
    project: { _id: 'x', label: 'Messe' },
    without: [],
    entries: Object.entries(entries).map(([path, content]) => ({
      path,
      size: Buffer.byteLength(content),
      sha256: createHash('sha256').update(content).digest('hex'),
    })),
    missing: [],
    ...changes,
  })

interface Zipped {
  /** Entries added after the manifest. */
  more?: [string, string | Buffer, { mode?: number }?][]
  manifest?: string
  patch?: (zip: Buffer) => Buffer
}

async function zipOf(entries: Entries, { more = [], manifest, patch = (zip) => zip }: Zipped = {}) {
  const zip = new ZipFile()
  for (const [path, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content as string), path)
  for (const [path, content, options] of more) zip.addBuffer(Buffer.from(content as string), path, options)
  if (manifest !== 'none') zip.addBuffer(Buffer.from(manifest ?? manifestOf(entries)), 'manifest.json')
  zip.end()
  return patch(await buffer(zip.outputStream as Readable))
}

const { signal } = new AbortController()
async function readOf(zip: Buffer) {
  const file = {
    size: zip.length,
    open: async ({ start, end }: { start: number; end: number }) =>
      Readable.from([zip.subarray(start, end + 1)]),
  }
  return readExport(file, { signal, onBytes: () => {} })
}

/** Returns the refusal of an archive. Every other error is a fault. */
async function refused(zip: Buffer): Promise<string> {
  try {
    await readOf(zip)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return error.message.replace('This is not a project export: ', '')
  }
  return 'taken'
}

/** Renames an entry to a name of equal length, so that all offsets stay valid. */
const renamed = (from: string, to: string) => (zip: Buffer) =>
  Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1')

/** Writes into the central directory record of an entry. */
const inDirectory = (path: string, write: (zip: Buffer, at: number) => void) => (zip: Buffer) => {
  const name = zip.lastIndexOf(path)
  write(zip, name - 46)
  return zip
}

test('DEC-27 an export is read completely: settings, and each medium with its size and digest', async () => {
  const { project: read, media, read: open, close } = await readOf(await zipOf(usual()))
  expect(read).toMatchObject({ label: 'Messe', products: ['project'] })
  expect(media).toEqual([
    { ...medium, size: picture.length, sha256: createHash('sha256').update(picture).digest('hex') },
  ])
  expect(await buffer(await open(mediumPath))).toEqual(picture)
  close()
})

test('RULE-69 path traversal, unknown and duplicate names, links and encrypted entries are refused', async () => {
  const slip = (to: string) => zipOf({ ...usual() }, { patch: renamed('tasks.jsonl', to) })
  expect(await refused(await slip('../tasks.js'))).toContain('invalid relative path')
  expect(await refused(await slip('/etc/passwd'))).toContain('absolute path')
  expect(await refused(await slip('..\\tasks.js'))).toContain('invalid characters in fileName')
  expect(await refused(await slip('C:/tasks.js'))).toContain('absolute path')
  expect(await refused(await slip('tasks.json\0'))).toContain('“tasks.json?” is not a known entry')
  expect(await refused(await slip('audit.jsonl'))).toBe('the manifest does not list “audit.jsonl”')
  expect(await refused(await zipOf(usual(), { more: [['readme.html', '<script>']] }))).toContain(
    '“readme.html”',
  )
  expect(await refused(await zipOf(usual(), { more: [['project.json', '{}']] }))).toBe(
    '“project.json” occurs twice',
  )
  const link = { mode: 0o120777 }
  expect(await refused(await zipOf(usual(), { more: [['audit.jsonl', '/etc/passwd', link]] }))).toBe(
    '“audit.jsonl” is a link',
  )
  const encrypted = inDirectory('tasks.jsonl', (zip, at) =>
    zip.writeUInt16LE(zip.readUInt16LE(at + 8) | 1, at + 8),
  )
  expect(await refused(await zipOf(usual(), { patch: encrypted }))).toContain('encrypted')
})

test('RULE-69 entries with a wrong size or digest, missing entries and duplicate entries are refused', async () => {
  const sized = (field: number, size: number) =>
    inDirectory('media.json', (zip, at) => zip.writeUInt32LE(size, at + field))
  const lies = [sized(24, 5), sized(24, 500_000), sized(20, 3), sized(20, 0x7fffffff)]
  for (const patch of lies) expect(await refused(await zipOf(usual(), { patch }))).not.toBe('taken')

  const listed = manifestOf(usual())
  const { [mediumPath]: _gone, ...without } = usual()
  expect(await refused(await zipOf(without, { manifest: listed }))).toBe(
    `“${mediumPath}” is missing or was changed`,
  )
  const other = Buffer.from(picture)
  other[other.length - 20] = (other[other.length - 20] ?? 0) ^ 1
  expect(await refused(await zipOf({ ...usual(), [mediumPath]: other }, { manifest: listed }))).toBe(
    `“${mediumPath}” was changed`,
  )
  const { entries } = JSON.parse(listed) as { entries: object[] }
  const twice = manifestOf(usual(), { entries: [...entries, entries[0]] })
  expect(await refused(await zipOf(usual(), { manifest: twice }))).toBe('the manifest lists an entry twice')
  const again = { ...usual(), 'media.json': JSON.stringify([medium, medium]) }
  expect(await refused(await zipOf(again))).toBe(`“${mediumPath}” is missing`)
  expect(await refused(await zipOf({ ...usual(), 'media.json': '[]' }))).toBe(
    `“media.json” does not describe “${mediumPath}”`,
  )
})

test('RULE-69 zip bombs and endless archives are refused before decompression', async () => {
  const zeros = Buffer.alloc(40 * 1024 * 1024)
  expect(await refused(await zipOf({ ...usual(), 'tasks.jsonl': zeros }))).toBe(
    'its unpacked size is too large',
  )
  // Two entries, the second of which uses the bytes of the first.
  const shared = await zipOf({ ...usual(), 'audit.jsonl': picture, 'tasks.jsonl': picture })
  const bytes = (zip: Buffer, at: number) => {
    zip.writeUInt32LE(zip.length, at + 20)
    return zip
  }
  expect(await refused(inDirectory('audit.jsonl', bytes)(shared))).toBe('its entries overlap')
  // The number of entries is at the end of the archive, so none of them is read.
  const many = (zip: Buffer) => {
    zip.writeUInt16LE(10_001, zip.length - 22 + 8)
    zip.writeUInt16LE(10_001, zip.length - 22 + 10)
    return zip
  }
  expect(await refused(await zipOf(usual(), { patch: many }))).toBe('it has more than 10000 entries')
})

test('RULE-68 media must match their type and must not be active content', async () => {
  const withMime = (mime: string, content: string | Buffer = picture) =>
    zipOf({
      ...usual(),
      'media.json': JSON.stringify([{ ...medium, mime }]),
      [mediumPath]: content,
    })
  expect(await refused(await withMime('image/png'))).toBe('taken')
  // A picture under another type is taken for what it is, as in an upload.
  expect(await refused(await withMime('image/jpeg'))).toBe('taken')
  expect(await refused(await withMime('image/png', 'text'))).toBe(
    'The file’s content does not match its type',
  )
  expect(await refused(await withMime('image/svg+xml', '<svg xmlns="x"/>'))).toContain('not a picture')
  expect(await refused(await withMime('text/html', '<script>'))).toMatch(
    /^“media.json” is invalid: \[0\].mime: Invalid/,
  )
  expect(await refused(await withMime('image/png', '<html><script>alert(1)</script>'))).toContain(
    'is a web page',
  )
})

test('DEC-27 RULE-76 unstorable texts are refused before the import, with their path', async () => {
  const grant = { ...project.owner, productRole: null }
  const texts: [place: string, entry: string, value: object][] = [
    ['label', 'project.json', { ...project, label: 'x\0y' }],
    ['meta.customer', 'project.json', { ...project, meta: { customer: 'x\ud800', projectId: '' } }],
    ['meta.projectId', 'project.json', { ...project, meta: { customer: '', projectId: '\udc00x' } }],
    ['products[1]', 'project.json', { ...project, products: ['project', 'a\0b'] }],
    ['grants[0].email', 'project.json', { ...project, grants: [{ ...grant, email: 'a\0@example.org' }] }],
    ['grants[0].productRole', 'project.json', { ...project, grants: [{ ...grant, productRole: '\ud800' }] }],
    ['[0].label', 'media.json', [{ ...medium, label: 'x\ud800' }]],
    ['[0].tags[0]', 'media.json', [{ ...medium, tags: ['\udc00'] }]],
  ]
  for (const [place, path, value] of texts)
    expect(await refused(await zipOf({ ...usual(), [path]: JSON.stringify(value) }))).toBe(
      `“${path}” is invalid: ${place}: Contains a NUL or half a character`,
    )
  const whole = { ...project, label: '😀', meta: { customer: 'x\ny', projectId: 'é' } }
  expect(await refused(await zipOf({ ...usual(), 'project.json': JSON.stringify(whole) }))).toBe('taken')
})

test('DEC-27 truncated archives, other files and newer versions are refused with a message', async () => {
  const zip = await zipOf(usual())
  expect(await refused(Buffer.from('not a zip'))).toMatch(/too short|End of central directory/i)
  expect(await refused(Buffer.alloc(0))).not.toBe('taken')
  for (const length of [30, 200, zip.length - 100, zip.length - 1])
    expect(await refused(zip.subarray(0, length)), String(length)).not.toBe('taken')
  expect(await refused(await zipOf(usual(), { manifest: 'none' }))).toBe('“manifest.json” is missing')
  expect(await refused(await zipOf(usual(), { manifest: '{' }))).toBe('“manifest.json” is not valid JSON')
  const version = (changes: object) => zipOf(usual(), { manifest: manifestOf(usual(), changes) })
  expect(await refused(await version({ version: 2 }))).toBe('it was created by a newer version')
  expect(await refused(await version({ format: 'other' }))).toMatch(
    /^“manifest.json” is invalid: format: Invalid input/,
  )
  const { 'project.json': _project, ...rest } = usual()
  expect(await refused(await zipOf(rest))).toBe('“project.json” is missing')

  // A change of any single byte is accepted or refused, and never causes a fault.
  for (let at = 0; at < zip.length; at += 3) {
    const changed = Buffer.from(zip)
    changed[at] = (changed[at] ?? 0) ^ 0xff
    await refused(changed)
  }
})
