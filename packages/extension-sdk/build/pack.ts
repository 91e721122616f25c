import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { type ExtensionManifest, extensionManifest } from '@pult/contract'
import { build, resolveConfig } from 'vite'
import { archiveOf } from './archive.ts'

/**
 * Builds the extension in a folder and writes `ID-VERSION.tgz`, which a server installs: the manifest and the files that
 * it lists, and nothing else. Answers the path of the archive and its size in bytes.
 *
 * @param root With the vite.config and the manifest of the extension.
 * @param into Where the archive goes.
 */
export async function packExtension(root: string, into: string): Promise<{ path: string; size: number }> {
  const { build: options } = await resolveConfig({ root }, 'build', 'production', 'production')
  const folder = resolve(root, options.outDir)
  await build({ root })
  const text = await readFile(join(folder, 'manifest.json')).catch(() => {
    throw new Error(`The build wrote no manifest.json: is pultExtension() among the plugins of vite.config?`)
  })
  const manifest: ExtensionManifest = extensionManifest.parse(JSON.parse(text.toString()))
  const files = await Promise.all(
    Object.keys(manifest.files).map(async (path) => ({ path, content: await readFile(join(folder, path)) })),
  )
  const archive = archiveOf([{ path: 'manifest.json', content: text }, ...files])
  const path = join(into, `${manifest.id}-${manifest.version}.tgz`)
  await mkdir(into, { recursive: true })
  await writeFile(path, archive)
  return { path, size: archive.length }
}
