import type { BodyOf, Project, projectEndpoints } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { createOnce } from '#platform/database/idempotency.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import { emitChange } from '#platform/realtime/changes.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { AuditEvent, AuditService } from '../audit/audit.service.ts'
import type { ProductRegistry } from '../extensions/manifests/registry.ts'
import { createProjectRepository, type ProjectChanges } from './project.repository.ts'

interface ProjectServiceParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  products: ProductRegistry
}

export const projectTopic = 'projects'

/** Every project starts with it: who it belongs to and what is noted about it. */
const firstProducts = ['project']

type UpdateBody = BodyOf<typeof projectEndpoints.update>

/** Tells the readers of a project that it changed, and those of before who are no readers any more that it is gone. */
export async function announceProject(
  emit: Emit,
  projectId: string,
  readers: { before: readonly string[]; after: readonly string[] },
): Promise<void> {
  const change = { topic: projectTopic, collection: 'projects' as const, id: projectId }
  await emitChange(emit, { ...change, op: 'upsert' })
  const lost = readers.before.filter((id) => !readers.after.includes(id))
  if (lost.length > 0) await emitChange(emit, { ...change, op: 'remove', audience: lost })
}

export function createProjectService({ db, events, audit, products }: ProjectServiceParts) {
  const projects = createProjectRepository(db)

  /** What is not seen does not exist. */
  async function seen(caller: Caller, projectId: string): Promise<Project> {
    const project = await projects.find(caller, projectId)
    if (project === undefined) throw new AppError('NOT_FOUND')
    return project
  }

  /** By its owner, its organisation's owner and root. */
  async function edited(caller: Caller, projectId: string): Promise<Project> {
    const project = await seen(caller, projectId)
    if (project.access === 'grant') throw new AppError('FORBIDDEN')
    return project
  }

  /** By its owner and root: an organisation's owner has no say in who works on a project. */
  async function owned(caller: Caller, projectId: string): Promise<Project> {
    const project = await seen(caller, projectId)
    if (project.access !== 'owner' && project.access !== 'root') throw new AppError('FORBIDDEN')
    return project
  }

  const row = (caller: Caller, event: AuditEvent, projectId: string, address: string) => ({
    event,
    result: 'success' as const,
    actorId: caller.personId,
    target: projectId,
    projectId,
    address,
  })

  /** Somebody outside of an organisation cannot tell whether it exists. */
  async function checkPlace(caller: Caller, org: string | null): Promise<void> {
    if (org !== null && !(await projects.isMember(org, caller))) throw new AppError('NOT_FOUND')
  }

  return {
    list: projects.list,
    isVisible: projects.isVisible,
    readersAmong: projects.readersAmong,
    read: seen,
    checkEdited: edited,
    checkOwned: owned,

    async create(
      caller: Caller,
      { label, org = null }: { label: string; org?: string | null | undefined },
      { address, idempotencyKey }: { address: string; idempotencyKey: string | undefined },
    ): Promise<Project> {
      await checkPlace(caller, org)
      const { personId } = caller
      const id = await events.transaction(async (trx, emit) => {
        const within = createProjectRepository(trx)
        const key = { personId, path: '/projects', key: idempotencyKey }
        const made = await createOnce(trx, key, () =>
          within.add({ label, org, ownerId: personId, products: firstProducts }),
        )
        if (made.isNew) {
          await audit.within(trx).record({
            ...row(caller, 'project.created', made.id, address),
            detail: { label, org },
          })
          await announceProject(emit, made.id, { before: [], after: [] })
        }
        return made.id
      })
      return seen(caller, id)
    },

    async update(
      caller: Caller,
      projectId: string,
      body: UpdateBody,
      { address, revision }: { address: string; revision: number | undefined },
    ): Promise<Project> {
      const before = await edited(caller, projectId)
      const changes = changesOf(before, body)
      if (changes.org !== undefined) await checkPlace(caller, changes.org)
      const unknown = changes.products?.find((sku) => products.find(sku) === undefined)
      if (unknown !== undefined) throw new AppError('UNKNOWN_PRODUCT')
      const isStale = revision !== undefined && revision !== before.revision
      if (Object.keys(changes).length === 0 && !isStale) return before

      await events.transaction(async (trx, emit) => {
        const within = createProjectRepository(trx)
        await within.lock(projectId)
        const readersBefore = await within.readerIds(projectId)
        if (!(await within.update(projectId, changes, { changedBy: caller.personId, revision }))) {
          const current = await within.find(caller, projectId)
          if (current === undefined) throw new AppError('NOT_FOUND')
          const { updatedAt, updatedBy } = current
          throw new AppError('REVISION_CONFLICT', { data: { current, updatedAt, updatedBy } })
        }
        await audit.within(trx).record({
          ...row(caller, 'project.changed', projectId, address),
          detail: { ...changes },
        })
        const readersAfter = await within.readerIds(projectId)
        await announceProject(emit, projectId, { before: readersBefore, after: readersAfter })
      })
      return seen(caller, projectId)
    },

    async remove(caller: Caller, projectId: string, address: string): Promise<void> {
      const { label } = await edited(caller, projectId)
      await events.transaction(async (trx, emit) => {
        const within = createProjectRepository(trx)
        await within.lock(projectId)
        const audience = await within.readerIds(projectId)
        await within.remove(projectId)
        await audit.within(trx).record({
          ...row(caller, 'project.removed', projectId, address),
          detail: { label },
        })
        await emitChange(emit, {
          topic: projectTopic,
          collection: 'projects',
          op: 'remove',
          id: projectId,
          audience,
        })
      })
    },

    /** Comes first from now on, for this person alone. */
    async setDefault(caller: Caller, projectId: string): Promise<Project> {
      const project = await seen(caller, projectId)
      await projects.setDefault(caller.personId, projectId)
      return { ...project, isDefault: true }
    },
  }
}
export type ProjectService = ReturnType<typeof createProjectService>

/** What of a body differs from the project as it is. */
function changesOf(project: Project, { label, org, products, meta, config }: UpdateBody): ProjectChanges {
  const changedMeta = changedFields(project.meta, meta)
  const changedConfig = changedFields(project.config, config)
  return {
    ...(label !== undefined && label !== project.label && { label }),
    ...(org !== undefined && org !== project.org && { org }),
    ...(products !== undefined &&
      !isSameSet(products, project.products) && { products: [...new Set(products)] }),
    ...(changedMeta !== undefined && { meta: changedMeta }),
    ...(changedConfig !== undefined && { config: changedConfig }),
  }
}

function changedFields<Fields extends object>(
  before: Fields,
  sent: { [Name in keyof Fields]?: Fields[Name] | undefined } | undefined,
): Partial<Fields> | undefined {
  const changed = Object.entries(sent ?? {}).filter(
    ([name, value]) => value !== undefined && value !== before[name as keyof Fields],
  )
  return changed.length === 0 ? undefined : (Object.fromEntries(changed) as Partial<Fields>)
}

const isSameSet = (a: readonly string[], b: readonly string[]) =>
  new Set(a).size === new Set(b).size && a.every((item) => b.includes(item))
