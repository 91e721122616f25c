import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { limits, taskMessageOf } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { HeavyReads } from '#platform/database/replicas.ts'
import type { Database } from '#platform/database/schema.ts'
import { fileNamePart } from '#platform/file-name-part.ts'
import { refuseFullDisk } from '#platform/files/disk-files.ts'
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
  /** Runs the transaction with the snapshot of the records. */
  reads: HeavyReads
  files: Files
  audit: AuditService
  people: PeopleService
  products: ProductRegistry
  projects: Pick<ProjectService, 'checkEdited' | 'read'>
  mediaOf: MediaOf
}

/** A medium's original file. Its bytes are read after the snapshot. */
interface Original {
  path: string
  file: string
  size: number
}

const hour = 3_600_000
const mediaSlice = 500

/**
 * Streams the ZIP of a project to the file store. The records are one snapshot, which is written to temporary files
 * first. The bytes of the media are read afterwards, and the result names missing ones.
 */
export function createExportKind(parts: ExportParts): TaskKind<ExportPayload> {
  const { files, people, projects } = parts
  const readerRole = createAppRole('media-library', parts)

  /** Returns the person for whom the export is made, with the project that they may edit now. */
  async function editor({ projectId, createdBy }: { projectId: string; createdBy: string | null }) {
    const caller = await actingPerson(people, createdBy)
    return { caller, project: await projects.checkEdited(caller, projectId) }
  }

  return {
    type: exportType,
    kind: 'download-generation',
    deadline: 12 * hour,
    canRestart: true,
    concurrency: 2,
    check: editor,
    async run({ projectId, createdBy, payload, signal, progress, log }) {
      const { caller, project } = await editor({ projectId, createdBy })
      const { label, access } = project
      // An organisation's owner edits its projects, but may read neither their audit log nor the data of their apps.
      const without = new Set<string>(payload.without)
      if (access === 'organisation-owner') without.add('audit')
      const [mediaReader] = await readerRole.holdersAmong(projectId, [caller.personId])
      if (mediaReader === undefined) without.add('media')

      // Lazy: its library is rarely needed.
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
      for (const path of missing) log(taskMessageOf('export-file-missing', { path }))
      return {
        info: taskMessageOf('files-exported', { count: entries.length + 1 }),
        ...(missing.length > 0 && {
          warning: taskMessageOf('export-incomplete', { missing: missing.length }),
        }),
        file: { id: kept.id, name },
      }
    },
  }
}

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

  const folder = await mkdtemp(join(tmpdir(), 'pult-export-'))
  let originals: Original[]
  try {
    // The store may be slow, so the records reach it after the transaction.
    const records = await parts.reads.run((db) =>
      db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((trx) => saveRecords(parts, { projectId, without, trx, folder, signal })),
    )
    originals = records.originals
    for (const path of records.paths) await add(path, createReadStream(join(folder, path)))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }

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
  await zip.add(manifestPath, Readable.from([textOf(manifest)]))
  await zip.end()
  return manifest
}

interface Snapshot extends Pick<Writing, 'projectId' | 'without' | 'signal'> {
  trx: Transaction<Database>
  /** Receives one file for each entry of the ZIP. */
  folder: string
}

/** Writes all records of the snapshot to files. Returns their paths, and the originals that the ZIP must contain. */
async function saveRecords(
  { audit, mediaOf }: ExportParts,
  { projectId, without, trx, folder, signal }: Snapshot,
): Promise<{ paths: string[]; originals: Original[] }> {
  const paths: string[] = []
  const save = async (path: string, content: AsyncIterable<string> | Iterable<string>) => {
    await writeFile(join(folder, path), content, { signal, mode: 0o600 }).catch(refuseFullDisk)
    paths.push(path)
  }
  const repository = createExportRepository(trx, projectId)
  const project = await repository.project()
  if (project === undefined) throw new AppError('NOT_FOUND')
  await save(projectPath, [textOf(project)])
  if (!without.has('tasks')) await save(tasksPath, lines(repository.tasks()))
  if (!without.has('audit')) await save(auditPath, audit.within(trx).file({ projectId }, {}, 'jsonl'))
  const originals: Original[] = []
  if (!without.has('media')) await save(mediaPath, describe(slices(mediaOf(trx, projectId)), originals))
  return { paths, originals }
}

async function* slices(media: Pick<ReturnType<MediaOf>, 'slice'>): AsyncGenerator<StoredMedium[]> {
  let after: string | undefined
  do {
    const slice = await media.slice(after, mediaSlice)
    yield slice
    after = slice.length < mediaSlice ? undefined : slice.at(-1)?.id
  } while (after !== undefined)
}

/** Yields a JSON array of the media in small pieces, and records the location of their originals. */
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

const textOf = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

function unlessGone(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'NOT_FOUND') return undefined
  throw error
}

/** Returns the letters and digits of the label, for a file name. */
const nameOf = (label: string) => fileNamePart(label) || 'project'
