import { Readable } from 'node:stream'
import { limits } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Sentence } from '#platform/language.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { ProductRegistry } from '../../extensions/manifests/product-registry.ts'
import type { Files } from '../../files/file-store.ts'
import type { MediaOf, StoredMedium } from '../../media/media.service.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { TaskKind } from '../../tasks/task-kind.ts'
import { actingPerson } from '../acting-person.ts'
import { createAppRole } from '../app-role.ts'
import type { ProjectService } from '../project.service.ts'
import { createExportRepository } from './export.repository.ts'
import {
  auditPath,
  type ExportManifest,
  exportFormat,
  exportVersion,
  manifestPath,
  mediaPath,
  projectPath,
  tasksPath,
} from './export-format.ts'
import type { WrittenEntry, ZipWriter } from './zip-writer.ts'

export const exportType = 'project-export'

export interface ExportPayload {
  without: readonly ('media' | 'audit' | 'tasks')[]
}

interface ExportParts {
  db: Kysely<Database>
  files: Files
  audit: AuditService
  people: PeopleService
  products: ProductRegistry
  projects: Pick<ProjectService, 'checkEdited' | 'read'>
  mediaOf: MediaOf
}

/** A medium's original, whose bytes are read after the records. */
interface Original {
  path: string
  file: string
  size: number
}

const hour = 3_600_000
const mediaSlice = 500

/**
 * Makes the ZIP of a project while it is stored: nothing of it is held. Its records are those of one moment; of the media
 * it reads the bytes after that, and says which were deleted meanwhile.
 */
export function createExportKind(parts: ExportParts): TaskKind<ExportPayload> {
  const { files, people, projects } = parts
  const readerRole = createAppRole('media-library', parts)
  return {
    type: exportType,
    kind: 'download-generation',
    deadline: 12 * hour,
    canRestart: true,
    concurrency: 2,
    async run({ projectId, createdBy, payload, signal, progress, log }) {
      const caller = await actingPerson(people, createdBy)
      const { label, access } = await projects.checkEdited(caller, projectId)
      // An organisation's owner edits its projects without reading what happened in them, or what is in their apps.
      const without = new Set<string>(payload.without)
      if (access === 'organisation-owner') without.add('audit')
      const [reader] = await readerRole.holdersAmong(projectId, [caller.personId])
      if (reader === undefined) without.add('media')

      // Comes with a library that few nodes ever need.
      const { createZipWriter } = await import('./zip-writer.ts')
      const zip = createZipWriter()
      const name = `${nameOf(label)}-${new Date().toISOString().slice(0, 10)}.zip`
      const file = {
        projectId,
        personId: caller.personId,
        readers: 'person' as const,
        name,
        contentType: 'application/zip',
        lifetime: limits.downloadLifetime,
      }
      const writing = write(parts, { projectId, label, without, zip, progress, signal })
      const keeping = files.keep(file, zip.output, signal)
      for (const half of [writing, keeping]) half.catch((error: unknown) => zip.fail(error))
      const [kept, { entries, missing }] = await Promise.all([keeping, writing])
      for (const path of missing) log(deletedMeanwhile(path))
      return { info: filesOf(entries.length + 1), file: { id: kept.id, name } }
    },
  }
}

const deletedMeanwhile = (path: string): Sentence => ({
  de: `${path} was deleted while the export was made`,
  'de-DE': `${path} wurde gelöscht, während der Export entstand`,
})
const filesOf = (count: number): Sentence => ({ de: `${count} files`, 'de-DE': `${count} Dateien` })

interface Writing {
  projectId: string
  label: string
  without: ReadonlySet<string>
  zip: ZipWriter
  progress: (done: number, total: number) => void
  signal: AbortSignal
}

async function write(parts: ExportParts, writing: Writing): Promise<ExportManifest> {
  const { projectId, label, without, zip, progress, signal } = writing
  const entries: WrittenEntry[] = []
  let done = 0
  let total = 0
  const count = (bytes: number) => {
    done += bytes
    progress(done, Math.max(done, total))
  }
  const add = async (path: string, content: Readable, packedSize?: number) => {
    signal.throwIfAborted()
    entries.push(
      await zip.add(path, content, { onBytes: count, ...(packedSize !== undefined && { packedSize }) }),
    )
  }

  const originals = await parts.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((trx) => writeRecords(parts, { ...writing, trx, add }))

  total = done + originals.reduce((sum, { size }) => sum + size, 0)
  const missing: string[] = []
  for (const { path, file, size } of originals) {
    const content = await parts.files.open(file).catch(unlessGone)
    if (content === undefined) missing.push(path)
    else await add(path, content, size)
  }

  const manifest: ExportManifest = {
    format: exportFormat,
    version: exportVersion,
    createdAt: new Date().toISOString(),
    project: { _id: projectId, label },
    without: [...without],
    entries,
    missing,
  }
  await zip.add(manifestPath, textOf(manifest))
  await zip.end()
  return manifest
}

/** All records as they are at one moment. Answers whose bytes are still to be written. */
async function writeRecords(
  { audit, mediaOf }: ExportParts,
  {
    projectId,
    without,
    trx,
    add,
  }: Writing & { trx: Transaction<Database>; add: (path: string, content: Readable) => Promise<void> },
): Promise<Original[]> {
  const repository = createExportRepository(trx, projectId)
  const project = await repository.project()
  if (project === undefined) throw new AppError('NOT_FOUND')
  await add(projectPath, textOf(project))
  if (!without.has('tasks')) await add(tasksPath, Readable.from(lines(repository.tasks())))
  if (!without.has('audit'))
    await add(auditPath, Readable.from(audit.within(trx).file({ projectId }, {}, 'jsonl')))
  if (without.has('media')) return []

  const originals: Original[] = []
  await add(mediaPath, Readable.from(describe(slices(mediaOf(trx, projectId)), originals)))
  return originals
}

async function* slices(media: Pick<ReturnType<MediaOf>, 'slice'>): AsyncGenerator<StoredMedium[]> {
  let after: string | undefined
  do {
    const slice = await media.slice(after, mediaSlice)
    yield slice
    after = slice.length < mediaSlice ? undefined : slice.at(-1)?.id
  } while (after !== undefined)
}

/** A JSON array of the media, written a few at a time; where their originals are is noted beside. */
async function* describe(
  parts: AsyncIterable<readonly StoredMedium[]>,
  originals: Original[],
): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const slice of parts) {
    for (const { id, label, tags, formats } of slice) {
      const [original] = formats
      if (original === undefined) continue
      const path = `media/${id}`
      const { mime, file, size, width, height } = original
      originals.push({ path, file, size })
      yield `${separator}${JSON.stringify({ label, tags, mime, width, height, path })}`
      separator = ',\n'
    }
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

async function* lines(slicesOf: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  for await (const slice of slicesOf) yield slice.map((row) => `${JSON.stringify(row)}\n`).join('')
}

const textOf = (value: unknown) => Readable.from([`${JSON.stringify(value, null, 2)}\n`])

function unlessGone(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
  throw error
}

/** For a file's name: letters and digits of the label. */
const nameOf = (label: string) => label.replace(/[^\p{L}\p{N}]+/gu, '-').replace(/^-|-$/g, '') || 'project'
