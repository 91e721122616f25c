import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { ContentCoding } from '#platform/http/console-files.ts'
import { contentTypes, type ExtensionPackage, integrityOf } from './packages/extension-package.ts'

/** The path of extension files. It contains the digest, so that a URL always stands for the same bytes. */
export const extensionBase = '/extensions'

export const addressOf = ({ manifest, digest }: ExtensionPackage, path: string) =>
  `${extensionBase}/${manifest.id}/${digest.slice(0, 16)}/${path}`

export interface ServedFile {
  contentType: string
  coding: ContentCoding
  body: Buffer
}

interface KnownFile {
  path: string
  contentType: string
  integrity: string
}

type Bodies = Record<ContentCoding, Buffer>

const compressed = new Set(['.js', '.css', '.json', '.svg'])

/**
 * Serves the files of running extensions by URL. URLs are looked up and never converted to paths. Texts are
 * compressed once and cached. Files that differ from the manifest return 404.
 */
export function createServedFiles() {
  let files: ReadonlyMap<string, KnownFile> = new Map()
  const texts = new Map<string, Promise<Bodies | undefined>>()

  async function read({ path, integrity }: KnownFile): Promise<Buffer | undefined> {
    const content = await readFile(path).catch(() => undefined)
    return content !== undefined && integrityOf(content) === integrity ? content : undefined
  }

  async function compress(url: string, file: KnownFile): Promise<Bodies | undefined> {
    const identity = await read(file)
    if (identity === undefined) {
      texts.delete(url)
      return undefined
    }
    const [br, gz] = await Promise.all([
      promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      promisify(gzip)(identity),
    ])
    return { identity, br, gzip: gz }
  }

  return {
    /** Replaces the served files. Returns the digests of their scripts by URL. */
    replace(running: readonly ExtensionPackage[]): Record<string, string> {
      const all = running.flatMap((extension) =>
        Object.entries(extension.manifest.files).map(([path, integrity]) => ({
          url: addressOf(extension, path),
          path: join(extension.folder, path),
          contentType: contentTypes[extname(path)] ?? 'application/octet-stream',
          integrity,
        })),
      )
      files = new Map(all.map(({ url, ...file }) => [url, file]))
      for (const url of texts.keys()) if (!files.has(url)) texts.delete(url)
      return Object.fromEntries(
        all.filter(({ url }) => url.endsWith('.js')).map(({ url, integrity }) => [url, integrity]),
      )
    },

    async find(url: string, coding: ContentCoding): Promise<ServedFile | undefined> {
      const file = files.get(url)
      if (file === undefined) return undefined
      const { contentType } = file
      if (!compressed.has(extname(file.path))) {
        const body = await read(file)
        return body && { contentType, coding: 'identity', body }
      }
      const bodies = texts.get(url) ?? compress(url, file)
      texts.set(url, bodies)
      const found = await bodies
      return found && { contentType, coding, body: found[coding] }
    },
  }
}
