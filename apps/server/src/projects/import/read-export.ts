import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { taskMessageOf } from '@pult/contract'
import * as z from 'zod/mini'
import { checkContent } from '../../files/content-check.ts'
import { bytesOfStream } from '../../files/file-bytes.ts'
import { mediaTypeOf } from '../../media/medium.ts'
import {
  type ExportedMedium,
  type ExportedProject,
  exportedMedium,
  exportedProject,
  exportManifest,
  exportVersion,
  isExportPath,
  manifestPath,
  mediaPath,
  projectPath,
} from '../export/export-format.ts'
import { type OpenZip, openZip, type RangedFile, refusal } from './zip-reader.ts'

/** A complete export: every entry matches the manifest. */
export interface CheckedExport {
  project: ExportedProject
  media: (ExportedMedium & { size: number; sha256: string })[]
  read: OpenZip['read']
  close: OpenZip['close']
}

interface CheckOptions {
  signal: AbortSignal
  onBytes: (done: number, total: number) => void
}

const entriesMost = 10_000

/** Limit in bytes of a list that is read completely. */
const listMost = 16 * 1024 * 1024

/** Reads and checks the whole export. Throws CONTENT_MISMATCH with a reason before anything is changed. */
export async function readExport(file: RangedFile, options: CheckOptions): Promise<CheckedExport> {
  const zip = await openZip(file, { entries: entriesMost, isKnown: isExportPath })
  try {
    return await check(zip, options)
  } catch (error) {
    zip.close()
    throw error
  }
}

async function check(zip: OpenZip, { signal, onBytes }: CheckOptions): Promise<CheckedExport> {
  const manifest = await parsed(zip, manifestPath, exportManifest)
  if (manifest.version > exportVersion) throw refusal(taskMessageOf('export-newer'))

  const listed = new Map(manifest.entries.map((entry) => [entry.path, entry]))
  if (listed.size !== manifest.entries.length) throw refusal(taskMessageOf('manifest-repeats'))
  for (const path of zip.entries.keys())
    if (path !== manifestPath && !listed.has(path)) throw refusal(taskMessageOf('entry-not-listed', { path }))

  const total = manifest.entries.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  const digests = new Map<string, string>()
  const unused = new Set<string>()
  for (const { path, size, sha256 } of manifest.entries) {
    if (zip.entries.get(path)?.size !== size)
      throw refusal(taskMessageOf('entry-missing-or-changed', { path }))
    const content = await zip.read(path)
    const digest = await digestOf(content, signal, (count) => onBytes((done += count), total))
    if (digest !== sha256) throw refusal(taskMessageOf('entry-changed', { path }))
    digests.set(path, digest)
    unused.add(path)
  }

  const project = await parsed(zip, projectPath, exportedProject)
  const described = listed.has(mediaPath) ? await parsed(zip, mediaPath, z.array(exportedMedium)) : []
  const gone = new Set(manifest.missing)
  const media = []
  for (const medium of described) {
    const { path, mime } = medium
    if (gone.has(path)) continue
    const sha256 = digests.get(path)
    if (!unused.has(path) || sha256 === undefined || !path.startsWith('media/'))
      throw refusal(taskMessageOf('entry-missing', { path: path.slice(0, 80) }))
    if (mediaTypeOf(mime) === null) throw refusal(taskMessageOf('entry-not-media', { path }))
    const size = listed.get(path)?.size ?? 0
    const content = bytesOfStream(size, () => zip.read(path))
    const kind = await checkContent(content, { name: basename(path), contentType: mime }).finally(
      content.close,
    )
    media.push({ ...medium, mime: kind.contentType, sha256, size })
    // Each original belongs to one medium.
    unused.delete(path)
  }
  const unknown = [...unused].find((path) => path.startsWith('media/'))
  if (unknown !== undefined)
    throw refusal(taskMessageOf('entry-not-described', { list: mediaPath, path: unknown }))
  return { project, media, read: zip.read, close: zip.close }
}

async function digestOf(content: Readable, signal: AbortSignal, onBytes: (count: number) => void) {
  const hash = createHash('sha256')
  for await (const chunk of content as AsyncIterable<Buffer>) {
    signal.throwIfAborted()
    hash.update(chunk)
    onBytes(chunk.length)
  }
  return hash.digest('hex')
}

async function parsed<Schema extends z.ZodMiniType>(
  zip: OpenZip,
  path: string,
  schema: Schema,
): Promise<z.infer<Schema>> {
  if ((zip.entries.get(path)?.size ?? 0) > listMost) throw refusal(taskMessageOf('entry-too-large', { path }))
  const parts: Buffer[] = []
  for await (const part of (await zip.read(path)) as AsyncIterable<Buffer>) parts.push(part)
  const result = schema.safeParse(jsonOf(Buffer.concat(parts).toString('utf8'), path))
  if (!result.success)
    throw refusal(taskMessageOf('entry-not-valid', { path, fault: firstFault(result.error) }))
  return result.data
}

/** Returns the path of the first fault and, where the schema has one, its message. */
function firstFault({ issues: [issue] }: z.core.$ZodError): string {
  return [z.core.toDotPath(issue?.path ?? []), issue?.message].filter(Boolean).join(': ')
}

function jsonOf(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal(taskMessageOf('entry-not-json', { path }))
  }
}
