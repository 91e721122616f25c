import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { archiveOf } from './archive.ts'
import { checkExtension } from './check.ts'

/**
 * Checks and builds the extension in a folder and writes `ID-VERSION.tgz`, which a server installs. The archive
 * contains only the manifest and the files that it lists. Returns the path of the archive and its size in bytes.
 *
 * @param root Folder with the vite.config and the manifest of the extension.
 * @param into Folder of the archive.
 */
export async function packExtension(root: string, into: string): Promise<{ path: string; size: number }> {
  const { folder, manifest } = await checkExtension(root)
  const files = await Promise.all(
    ['manifest.json', ...Object.keys(manifest.files)].map(async (path) => ({
      path,
      content: await readFile(join(folder, path)),
    })),
  )
  const archive = archiveOf(files)
  const path = join(into, `${manifest.id}-${manifest.version}.tgz`)
  await mkdir(into, { recursive: true })
  await writeFile(path, archive)
  return { path, size: archive.length }
}
