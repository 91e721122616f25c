import { type BodyOf, firstProducts, type Project, type projectEndpoints } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Db } from '#platform/database/database.ts'
import { createOnce } from '#platform/database/idempotency.ts'
import { refuseStale } from '#platform/database/revision.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Events } from '#platform/realtime/events.ts'
import type { AuditEvent, AuditService } from '../audit/audit.service.ts'
import { changeDetail } from '../audit/change-detail.ts'
import type { ProductRegistry } from '../extensions/manifests/product-registry.ts'
import type { PeopleService } from '../people/people.service.ts'
import { announceAccess, announceProject } from './announcements.ts'
import { createProjectRepository, type ProjectChanges, type ProjectRepository } from './project.repository.ts'
import { createProjectOverview } from './project-overview.ts'
import { refusal } from './refusal.ts'

interface ProjectServiceParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  people: PeopleService
  products: ProductRegistry
  /** Limit of projects that a person other than root may own. */
  mostPerPerson: number
}

type UpdateBody = BodyOf<typeof projectEndpoints.update>

export function createProjectService({
  db,
  events,
  audit,
  people,
  products,
  mostPerPerson,
}: ProjectServiceParts) {
  const projects = createProjectRepository(db)

  /** Projects that the caller may not see return 404. */
  async function seen(caller: Caller, projectId: string, from = projects): Promise<Project> {
    const project = await from.find(caller, projectId)
    if (project === undefined) throw new AppError('NOT_FOUND')
    return project
  }

  /** For the owner, the organisation's owner and root. */
  async function edited(caller: Caller, projectId: string, from = projects): Promise<Project> {
    const project = await seen(caller, projectId, from)
    if (project.access === 'grant') throw refusal(project)
    return project
  }

  /** For the owner and root only: an organisation's owner does not manage the people of a project. */
  async function owned(caller: Caller, projectId: string): Promise<Project> {
    const project = await edited(caller, projectId)
    if (project.access === 'organisation-owner') throw refusal(project)
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

  /** Organisations that the caller may not see return 404. */
  async function checkPlace(within: ProjectRepository, caller: Caller, org: string | null): Promise<void> {
    if (org !== null && !(await within.isPlace(org, caller))) throw new AppError('NOT_FOUND')
  }

  /** Enforces the limit of owned projects. Concurrent creates run one after another and count each other. */
  async function checkRoom(trx: Db, { isRoot, personId }: Caller): Promise<void> {
    if (isRoot) return
    await people.within(trx).lock(personId)
    if ((await createProjectRepository(trx).countOwnedBy(personId)) < mostPerPerson) return
    throw new AppError('TOO_MANY_PROJECTS', {
      message: {
        de: `One person can own ${mostPerPerson} projects. Ask root to raise the limit`,
        'de-DE': `Eine Person kann ${mostPerPerson} Projekte besitzen. Bitten Sie Root, die Grenze anzuheben`,
      },
    })
  }

  return {
    list: projects.list,
    overview: createProjectOverview(db),
    isVisible: projects.isVisible,
    visibleCondition: projects.visibleCondition,
    /** Returns the projects that a user may see, for lists of records in projects. */
    seenIds: projects.seenIds,
    readersAmong: projects.readersAmong,

    /** Returns the readers of one project among these people. */
    readersOf: async (projectId: string, personIds: readonly string[]): Promise<readonly string[]> =>
      (await projects.readersAmong([projectId], personIds)).get(projectId) ?? [],
    /** Locks a project and returns its readers, for changes of records that belong to it. */
    within: (trx: Db): Pick<ProjectRepository, 'lock' | 'readerIds'> => createProjectRepository(trx),
    read: (caller: Caller, projectId: string) => seen(caller, projectId),
    checkEdited: (caller: Caller, projectId: string) => edited(caller, projectId),
    checkOwned: owned,

    async create(
      caller: Caller,
      { label, org = null, products: chosen }: BodyOf<typeof projectEndpoints.create>,
      { address, idempotencyKey }: { address: string; idempotencyKey: string | undefined },
    ): Promise<Project> {
      const { personId } = caller
      if (chosen?.some((sku) => !products.has(sku))) throw new AppError('UNKNOWN_PRODUCT')
      const added = chosen !== undefined && { products: [...new Set([...firstProducts, ...chosen])] }
      const projectId = await events.transaction(async (trx, emit) => {
        const within = createProjectRepository(trx)
        const key = { personId, path: '/projects', key: idempotencyKey, body: { label, org, ...added } }
        const { id, isNew } = await createOnce(trx, key, async () => {
          // The organisation is locked before the person, as in every other change.
          await checkPlace(within, caller, org)
          await checkRoom(trx, caller)
          return within.add({ label, org, ownerId: personId, products: [...firstProducts], ...added })
        })
        if (isNew) {
          const detail = { label, org, ...added }
          await audit.within(trx).record({ ...row(caller, 'project.created', id, address), detail })
          await announceProject(emit, id, { before: [], after: await within.readerIds(id) })
        }
        return id
      })
      return seen(caller, projectId)
    },

    async update(
      caller: Caller,
      projectId: string,
      body: UpdateBody,
      { address, revision }: { address: string; revision: number | undefined },
    ): Promise<Project> {
      // Also checked before the row is locked, so that a rejected call blocks no other.
      refuseStale(await edited(caller, projectId), revision)
      return events.transaction(async (trx, emit) => {
        const within = createProjectRepository(trx)
        await within.lock(projectId)
        const before = await edited(caller, projectId, within)
        refuseStale(before, revision)
        const changes = changesOf(before, body)
        if (Object.keys(changes).length === 0) return before
        if (changes.org !== undefined) await checkPlace(within, caller, changes.org)
        const added = changes.products?.filter((sku) => !before.products.includes(sku)) ?? []
        if (added.some((sku) => !products.has(sku))) throw new AppError('UNKNOWN_PRODUCT')

        const readersBefore = await within.readerIds(projectId)
        await within.update(projectId, changes, caller.personId)
        const detail = changeDetail(before, changes)
        await audit.within(trx).record({ ...row(caller, 'project.changed', projectId, address), detail })
        const readersAfter = await within.readerIds(projectId)
        await announceProject(emit, projectId, { before: readersBefore, after: readersAfter })
        // Roles count while the project uses their product.
        if (changes.products !== undefined)
          await announceAccess(
            emit,
            before.grants.map(({ user }) => user),
          )
        const after = await within.find(caller, projectId)
        // A user who removes a project from their own organisation sees it in this answer for the last time.
        return (
          after ?? { ...(await seen({ ...caller, isRoot: true }, projectId, within)), access: before.access }
        )
      })
    },

    async remove(caller: Caller, projectId: string, address: string): Promise<void> {
      await events.transaction(async (trx, emit) => {
        const within = createProjectRepository(trx)
        await within.lock(projectId)
        const { label } = await edited(caller, projectId, within)
        const readers = await within.readerIds(projectId)
        await within.remove(projectId)
        const detail = { label }
        await audit.within(trx).record({ ...row(caller, 'project.removed', projectId, address), detail })
        await announceProject(emit, projectId, { before: readers, after: [] })
      })
    },

    /** Sets the default project of this user only. */
    async setDefault(caller: Caller, projectId: string): Promise<Project> {
      const project = await seen(caller, projectId)
      await projects.setDefault(caller.personId, projectId)
      return { ...project, isDefault: true }
    },
  }
}
export type ProjectService = ReturnType<typeof createProjectService>

/** Returns the fields of a body that differ from the project. */
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

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  const [first, second] = [new Set(a), new Set(b)]
  return first.size === second.size && [...first].every((item) => second.has(item))
}
