import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtensionManifest } from '@pult/contract'
import { BrokenExtension, type ExtensionPackage, readPackage } from './extension-package.ts'

/** A folder that is, or should be, an extension. */
export interface FoundExtension {
  /** As its manifest says; the folder's name where that cannot be read. */
  id: string
  source: 'bundled' | 'installed'
  content: { package: ExtensionPackage } | { problem: string; manifest?: ExtensionManifest | undefined }
}

/**
 * Every extension that there is: those that come with the product, then those of the data folder, one folder each. One
 * that cannot be read is there with the reason, and keeps nobody else from being there.
 */
export async function findExtensions(folders: {
  bundled: string
  installed: string
}): Promise<FoundExtension[]> {
  const found: FoundExtension[] = []
  const usable: ExtensionManifest[] = []
  for (const source of ['bundled', 'installed'] as const) {
    for (const name of await foldersIn(folders[source])) {
      const content = await read(join(folders[source], name), usable)
      if (content === undefined) continue
      if ('package' in content) usable.push(content.package.manifest)
      found.push({ id: manifestOf(content)?.id ?? name, source, content })
    }
  }
  return found
}

export const manifestOf = (content: FoundExtension['content']): ExtensionManifest | undefined =>
  'package' in content ? content.package.manifest : content.manifest

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted((a, b) => a.localeCompare(b))
}

async function read(
  folder: string,
  others: readonly ExtensionManifest[],
): Promise<FoundExtension['content'] | undefined> {
  try {
    const found = await readPackage(folder)
    if (found === undefined) return undefined
    const taken = takenName(found.manifest, others)
    return taken === undefined ? { package: found } : { problem: taken, manifest: found.manifest }
  } catch (error) {
    if (error instanceof BrokenExtension) return { problem: error.message, manifest: error.manifest }
    throw error
  }
}

/** Ids and skus stand for one thing in an installation; `root` is the product of root apps, which no project uses. */
function takenName(
  { id, products, apps }: ExtensionManifest,
  others: readonly ExtensionManifest[],
): string | undefined {
  if (others.some((other) => other.id === id)) return `there is an extension called ${id} already`
  const skus = ['root', ...others.flatMap((other) => other.products.map(({ sku }) => sku))]
  const appIds = others.flatMap((other) => other.apps.map((app) => app.id))
  const sku = firstTaken(
    products.map((product) => product.sku),
    skus,
  )
  if (sku !== undefined) return `the product ${sku} is taken`
  const appId = firstTaken(
    apps.map((app) => app.id),
    appIds,
  )
  return appId === undefined ? undefined : `the app ${appId} is taken`
}

const firstTaken = (names: readonly string[], taken: readonly string[]): string | undefined =>
  names.find((name, index) => taken.includes(name) || names.indexOf(name) !== index)
