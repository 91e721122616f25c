import { limits, nameFrom, type TaskMessage, taskMessageOf, withReason } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import { isTransient } from '#platform/transient.ts'
import type { AuditService } from '../../audit/audit.service.ts'
import type { ProductRegistry } from '../../extensions/manifests/product-registry.ts'
import type { FileRecord, Files } from '../../files/file-store.ts'
import { announceMedium } from '../../media/announcements.ts'
import type { MakeFormats } from '../../media/make-formats.ts'
import type { MediaOf } from '../../media/media.service.ts'
import { labelOf, mediaTypeOf, originalOf } from '../../media/medium.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { TaskKind, TaskWork } from '../../tasks/task-kind.ts'
import { messageOfRefusal } from '../../tasks/task-refusal.ts'
import { actingPerson } from '../acting-person.ts'
import { createAppRole } from '../app-role.ts'
import type { ExportedProject } from '../export/export-format.ts'
import type { GrantService } from '../grants/grant.service.ts'
import type { ProjectService } from '../project.service.ts'
import { type UploadPayload, uploadedFile } from '../start-with-upload.ts'
import type { CheckedExport } from './read-export.ts'

export const importType = 'project-import'

interface ImportParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  files: Files
  people: PeopleService
  products: ProductRegistry
  projects: Pick<ProjectService, 'checkEdited' | 'read' | 'update'>
  grants: Pick<GrantService, 'add'>
  mediaOf: MediaOf
  makeFormats: MakeFormats
}

type Work = TaskWork<UploadPayload>
type Acting = (work: Pick<Work, 'projectId' | 'createdBy'>) => Promise<Caller>

const hour = 3_600_000

/** Milliseconds until unpacked files expire that no medium refers to. */
const temporaryLifetime = 12 * hour

/**
 * Imports an exported ZIP into a project. Checks the whole ZIP before it changes anything, and leaves existing records
 * unchanged. The import is therefore idempotent: a retry continues a lost task.
 */
export function createImportKind(parts: ImportParts): TaskKind<UploadPayload> {
  const { audit, files, people, projects } = parts
  const editorRole = createAppRole('media-library:edit', parts)

  /** Returns the person who imports, if they may edit the project now. Called before each step. */
  const acting: Acting = async ({ projectId, createdBy }) => {
    const caller = await actingPerson(people, createdBy)
    await projects.checkEdited(caller, projectId)
    return caller
  }

  /** Editing a project gives no access to its apps: importing media needs the role of the media app. */
  async function mediaEditor(work: Work): Promise<Caller | undefined> {
    const caller = await acting(work)
    const editors = await editorRole.holdersAmong(work.projectId, [caller.personId])
    return editors.length > 0 ? caller : undefined
  }

  async function importAllowedMedia(work: Work, content: CheckedExport): Promise<number> {
    if ((await mediaEditor(work)) !== undefined) return importMedia(parts, work, mediaEditor, content)
    const count = content.media.length
    if (count > 0) work.log(taskMessageOf('media-skipped', { count }))
    return 0
  }

  async function importAll(work: Work, content: CheckedExport): Promise<TaskMessage> {
    const { projectId, payload, signal } = work
    const added = await importAllowedMedia(work, content)
    signal.throwIfAborted()
    const caller = await acting(work)
    await importSettings(parts, work, caller, content.project)
    const granted = await importGrants(parts, work, acting, content.project)
    await audit.record({
      // A retry of the task adds no second row.
      id: work.taskId,
      event: 'project.imported',
      result: 'success',
      actorId: caller.personId,
      target: projectId,
      projectId,
      address: payload.address,
      detail: { from: content.project.label, media: added, grants: granted },
    })
    const failed = await makeAllFormats(parts, work)
    return taskMessageOf('imported', {
      media: added,
      mediaTotal: content.media.length,
      grants: granted,
      grantsTotal: content.project.grants.length,
      failed,
    })
  }

  return {
    type: importType,
    kind: 'info',
    deadline: 12 * hour,
    canRestart: true,
    concurrency: 1,
    check: acting,
    async run(work) {
      const { payload, signal, progress } = work
      const file = await uploadedFile(files, payload)
      // Lazy: its library is rarely needed.
      const { readExport } = await import('./read-export.ts')
      const content = await readExport(
        { size: file.size, open: (range) => files.open(file.id, range) },
        { signal, onBytes: progress },
      )
      try {
        return { info: await importAll(work, content) }
      } finally {
        content.close()
      }
    },
  }
}

/**
 * Stores the originals with a lifetime, then adds all of them in one transaction: an abort leaves the project
 * unchanged.
 */
async function importMedia(
  { db, events, files, mediaOf }: ImportParts,
  work: Work,
  mediaEditor: (work: Work) => Promise<Caller | undefined>,
  { media: described, read }: CheckedExport,
): Promise<number> {
  const { taskId, projectId, signal, progress, log } = work
  const allowed = async () => {
    const caller = await mediaEditor(work)
    if (caller === undefined) throw new AppError('FORBIDDEN')
    return caller
  }
  const kept: { medium: (typeof described)[number]; file: FileRecord }[] = []
  const total = described.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  try {
    for (const medium of described) {
      signal.throwIfAborted()
      const { label, mime, path, size, sha256 } = medium
      const isThere = kept.some(({ medium: other }) => other.sha256 === sha256)
      if (isThere || (await mediaOf(db, projectId).hasDigest(sha256))) {
        log(taskMessageOf('medium-exists', { label }))
      } else {
        const to = {
          projectId,
          personId: (await allowed()).personId,
          readers: 'project' as const,
          name: label,
          contentType: mime,
          lifetime: temporaryLifetime,
        }
        kept.push({ medium, file: await files.keep(to, await read(path), signal) })
      }
      progress((done += size), total)
    }
    const { personId } = await allowed()
    await events.transaction(async (trx, emit) => {
      await files.setLifetime(trx, idsOf(kept), null)
      for (const { medium, file } of kept) {
        const { label, tags, mime, sha256 } = medium
        const type = mediaTypeOf(mime)
        if (type === null) throw new Error('A checked medium has no media type')
        const state = type === 'image' ? ('processing' as const) : ('ready' as const)
        const formats = [originalOf(file)]
        const id = await mediaOf(trx, projectId).add({
          label: nameFrom(label, limits.labelMax) || labelOf(file),
          tags: [...new Set(tags.map((tag) => nameFrom(tag, limits.mediaTagMax)))].filter(
            (tag) => tag !== '',
          ),
          type,
          state,
          formats,
          digest: sha256,
          taskId,
          personId,
        })
        if (id === undefined) throw new AppError('NOT_FOUND')
      }
      if (kept.length > 0) await announceMedium(emit, projectId, {})
    })
  } catch (error) {
    // A COMMIT without an answer may have kept the files. Files that cannot be released now expire.
    await events.transaction((trx) => files.releaseTemporary(trx, idsOf(kept))).catch(() => {})
    throw error
  }
  return kept.length
}

const idsOf = (kept: readonly { file: FileRecord }[]) => kept.map(({ file }) => file.id)

/** Imports the settings, except label and owner: a user chose both for this project. */
async function importSettings(
  { products, projects }: ImportParts,
  { projectId, payload, log }: Work,
  caller: Caller,
  exported: ExportedProject,
): Promise<void> {
  const unknown = exported.products.filter((sku) => !products.has(sku))
  for (const sku of unknown) log(taskMessageOf('product-not-installed', { sku }))
  const { products: present } = await projects.checkEdited(caller, projectId)
  const { consoleColor } = exported.config
  const isColor = consoleColor !== undefined && /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(consoleColor)
  const installed = exported.products.filter((sku) => !unknown.includes(sku))
  await projects.update(
    caller,
    projectId,
    {
      products: [...new Set([...present, ...installed])],
      meta: { customer: shortText(exported.meta.customer), projectId: shortText(exported.meta.projectId) },
      ...(isColor && { config: { consoleColor } }),
    },
    { address: payload.address, revision: undefined },
  )
}

const shortText = (text: string) => nameFrom(text, limits.labelMax)

/** Imports grants: by root only, and only for users whose address is verified here. */
async function importGrants(
  { people, projects, products, grants }: ImportParts,
  work: Work,
  acting: Acting,
  exported: ExportedProject,
): Promise<number> {
  const { projectId, payload, log } = work
  const caller = await acting(work)
  if (!caller.isRoot) {
    const skipped = exported.grants.length
    if (skipped > 0) log(taskMessageOf('grants-skipped', { count: skipped }))
    return 0
  }
  const project = await projects.checkEdited(caller, projectId)
  let count = 0
  for (const { email, productRole } of exported.grants) {
    const person = await people.findByVerifiedEmail(email)
    if (person === undefined) log(taskMessageOf('no-account', { email }))
    else if (productRole !== null && !products.hasRole(productRole, project.products))
      log(taskMessageOf('grant-without-role', { email, role: productRole }))
    else
      try {
        const root = await acting(work)
        if (!root.isRoot) throw new AppError('FORBIDDEN')
        await grants.add(root, projectId, person.id, payload.address, productRole)
        count += 1
      } catch (error) {
        // A retry finds the grants of the previous attempt.
        if (!(error instanceof AppError) || error.code !== 'ALREADY_GRANTED') throw error
        log(
          productRole === null
            ? taskMessageOf('grant-exists', { email })
            : taskMessageOf('role-exists', { email, role: productRole }),
        )
      }
  }
  return count
}

/** Makes all formats within this task, one picture at a time. Returns the number of failed pictures. */
async function makeAllFormats(
  { db, mediaOf, makeFormats }: ImportParts,
  { taskId, projectId, signal, progress, log }: Work,
): Promise<number> {
  const waiting = await mediaOf(db, projectId).waitingFor(taskId)
  let failed = 0
  for (const [index, medium] of waiting.entries()) {
    signal.throwIfAborted()
    try {
      await makeFormats({ projectId, medium }, signal)
    } catch (error) {
      if (!(error instanceof AppError) || isTransient(error) || signal.aborted) throw error
      failed += 1
      log(withReason('picture-not-read', { label: medium.label }, messageOfRefusal(error)))
    }
    progress(index + 1, waiting.length)
  }
  return failed
}
