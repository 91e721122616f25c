import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'

/** An extension for a test. */
export interface GivenExtension {
  /** Manifest fields that differ from the defaults: version, label, SDK range, and the files with their digests. */
  manifest: { id: string; apps?: readonly { id: string; label: string }[] } & Record<string, unknown>
  /** Content by path. Without an entry, a generated one shows a page with the label of each app. */
  files?: Record<string, string>
}

/** Creates a folder of extensions, one folder each. A string becomes the unchanged text of the manifest. */
export async function extensionFolder(extensions: Record<string, GivenExtension | string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-extensions-'))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  for (const [name, extension] of Object.entries(extensions)) {
    if (typeof extension === 'string') await write(join(folder, name, 'manifest.json'), extension)
    else await writeExtension(join(folder, name), extension)
  }
  return folder
}

/** Writes an extension as a build would: its files, and a manifest that lists them with their digests. */
export async function writeExtension(
  folder: string,
  { manifest, files = {} }: GivenExtension,
): Promise<void> {
  const { apps = [] } = manifest
  const written =
    apps.length > 0 && files['entry.js'] === undefined ? { ...files, 'entry.js': entryOf(apps) } : files
  const digests = Object.fromEntries(Object.entries(written).map(([path, text]) => [path, digestOf(text)]))
  const whole = {
    version: '1.0.0',
    label: manifest.id,
    sdk: '^1.0.0',
    ...(written['entry.js'] !== undefined && { entry: 'entry.js' }),
    files: digests,
    ...manifest,
  }
  for (const [path, text] of Object.entries(written)) await write(join(folder, path), text)
  await write(join(folder, 'manifest.json'), JSON.stringify(whole))
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, text)
}

const entryOf = (apps: readonly { id: string; label: string }[]) => `
import { createElement } from 'react'
const page = (label) => () => createElement('p', null, 'Page of ' + label)
export default {
  register: ({ registerApp }) => {
    for (const { id, label } of ${JSON.stringify(apps.map(({ id, label }) => ({ id, label })))}) {
      const routes = [{ name: 'app-' + id, path: '*', Component: page(label) }]
      registerApp({ id, loader: async () => ({ default: { routes } }) })
    }
  },
}
`

const digestOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
