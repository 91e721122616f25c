import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExtensionManifest } from '@pult/contract'
import { compareBuild } from 'semver'
import type { Sentence } from '#platform/language.ts'
import {
  BrokenExtension,
  type ExtensionPackage,
  readPackage,
  readSharedNames,
  type SharedNames,
} from './extension-package.ts'

/** A folder with one version of an extension, possibly broken. */
export interface FoundVersion {
  /** The id of the manifest; the folder's name if the manifest is unreadable. */
  id: string
  /** The digest of its manifest. */
  digest: string
  source: 'bundled' | 'installed'
  folder: string
  content: { package: ExtensionPackage } | { problem: Sentence; manifest?: ExtensionManifest | undefined }
}

export interface ExtensionFolders {
  bundled: string
  installed: string
  /** The folder of the built console; null without one. */
  console: string | null
}

/**
 * Finds all versions of all extensions, by id and newest first: bundled ones and those of the data folder, one folder
 * each. An unreadable extension is listed with the reason and does not affect others. Copies of one version count
 * once.
 */
export async function findVersions(folders: ExtensionFolders): Promise<Map<string, FoundVersion[]>> {
  const found: FoundVersion[] = []
  const sharedNames = await readSharedNames(folders.console)
  for (const source of ['bundled', 'installed'] as const) {
    for (const name of await foldersIn(folders[source])) {
      const version = await read(join(folders[source], name), { name, source, sharedNames })
      if (version !== undefined) found.push(version)
    }
  }
  const usableFirst = found.toSorted(
    (a, b) => Number('problem' in a.content) - Number('problem' in b.content),
  )
  const once = new Map<string, FoundVersion>()
  for (const version of usableFirst) {
    const key = `${version.id} ${version.digest}`
    if (!once.has(key)) once.set(key, version)
  }
  const byId = Map.groupBy(
    found.filter((version) => once.get(`${version.id} ${version.digest}`) === version),
    ({ id }) => id,
  )
  for (const versions of byId.values()) versions.sort(newestFirst)
  return byId
}

export const manifestOf = ({ content }: FoundVersion): ExtensionManifest | undefined =>
  'package' in content ? content.package.manifest : content.manifest

/** Sorts comparable versions first. */
function newestFirst(a: FoundVersion, b: FoundVersion): number {
  const [first, second] = [manifestOf(a)?.version, manifestOf(b)?.version]
  try {
    return compareBuild(second ?? '0.0.0-0', first ?? '0.0.0-0')
  } catch {
    return (second ?? '').localeCompare(first ?? '')
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .toSorted()
}

async function read(
  folder: string,
  {
    name,
    source,
    sharedNames,
  }: Pick<FoundVersion, 'source'> & { name: string; sharedNames: SharedNames | undefined },
): Promise<FoundVersion | undefined> {
  try {
    const found = await readPackage(folder, sharedNames)
    if (found === undefined) return undefined
    const { manifest, digest } = found
    return { id: manifest.id, digest, source, folder, content: { package: found } }
  } catch (error) {
    if (!(error instanceof BrokenExtension)) throw error
    const { reason: problem, manifest, digest = '' } = error
    return { id: manifest?.id ?? name, digest, source, folder, content: { problem, manifest } }
  }
}
