import type { Grant, GrantOfPerson } from '@pult/contract'
import type { Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { type Db, violatedConstraint } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { AuditEvent, AuditService } from '../../audit/audit.service.ts'
import type { ProductRegistry } from '../../extensions/manifests/product-registry.ts'
import type { PeopleService } from '../../people/people.service.ts'
import { announceAccess, announceProject } from '../announcements.ts'
import type { ProjectService } from '../project.service.ts'
import { createGrantRepository, type GrantRepository } from './grant.repository.ts'

interface GrantServiceParts {
  db: Db
  events: Events
  audit: AuditService
  people: PeopleService
  products: ProductRegistry
  projects: Pick<ProjectService, 'within'>
}

/** Who changes a grant of which project, and from where. */
interface Change {
  personId: string
  projectId: string
  address: string
}

/** Grants: root adds, changes and removes them, a project's owner changes their roles. The callers have been checked. */
export function createGrantService({ db, events, audit, people, products, projects }: GrantServiceParts) {
  /** What a change leaves behind: a row of it, and news for those who are concerned. `before` are the readers until now. */
  async function conclude(
    trx: Transaction<Database>,
    emit: Emit,
    {
      event,
      grant,
      before,
      from,
      ...change
    }: Change & { event: AuditEvent; grant: Grant; before: readonly string[]; from?: string | null },
  ): Promise<void> {
    const { personId, projectId, address } = change
    await audit.within(trx).record({
      event,
      result: 'success',
      actorId: personId,
      target: grant.user,
      projectId,
      address,
      detail: { grant: grant._id, productRole: grant.productRole, ...(from !== undefined && { from }) },
    })
    const after = await projects.within(trx).readerIds(projectId)
    await announceProject(emit, projectId, { before, after })
    await announceAccess(emit, [grant.user])
  }

  async function found(within: GrantRepository, projectId: string, grantId: string): Promise<Grant> {
    const grant = await within.find(projectId, grantId)
    if (grant === undefined) throw new AppError('NOT_FOUND')
    return grant
  }

  return {
    /** In all projects. */
    async listOf(personId: string): Promise<GrantOfPerson[]> {
      if ((await people.findById(personId)) === undefined) throw new AppError('NOT_FOUND')
      return createGrantRepository(db).listOf(personId)
    },

    async add(caller: Caller, projectId: string, user: string, address: string): Promise<Grant> {
      if ((await people.findById(user)) === undefined) throw new AppError('UNKNOWN_PERSON')
      return events.transaction(async (trx, emit) => {
        const within = createGrantRepository(trx)
        await projects.within(trx).lock(projectId)
        const before = await projects.within(trx).readerIds(projectId)
        const grantId = await within.add(projectId, user, null)
        if (grantId === undefined) throw new AppError('ALREADY_GRANTED')
        const grant = await found(within, projectId, grantId)
        const { personId } = caller
        await conclude(trx, emit, { event: 'grant.added', grant, before, personId, projectId, address })
        return grant
      })
    },

    async setProductRole(
      caller: Caller,
      { projectId, grantId }: { projectId: string; grantId: string },
      productRole: string | null,
      address: string,
    ): Promise<Grant> {
      return events.transaction(async (trx, emit) => {
        const within = createGrantRepository(trx)
        const skus = await projects.within(trx).lock(projectId)
        const { productRole: from, ...grant } = await found(within, projectId, grantId)
        if (productRole !== null && !products.hasRole(productRole, skus))
          throw new AppError('UNKNOWN_PRODUCT_ROLE')
        const changed = { ...grant, productRole }
        if (from === productRole) return changed
        const before = await projects.within(trx).readerIds(projectId)
        await within.setProductRole(grantId, productRole).catch(refuseDouble)
        const change = { personId: caller.personId, projectId, address }
        await conclude(trx, emit, { event: 'grant.changed', grant: changed, before, from, ...change })
        return changed
      })
    },

    async remove(
      caller: Caller,
      { projectId, grantId }: { projectId: string; grantId: string },
      address: string,
    ): Promise<void> {
      await events.transaction(async (trx, emit) => {
        const within = createGrantRepository(trx)
        await projects.within(trx).lock(projectId)
        const grant = await found(within, projectId, grantId)
        const before = await projects.within(trx).readerIds(projectId)
        await within.remove(grantId)
        const change = { personId: caller.personId, projectId, address }
        await conclude(trx, emit, { event: 'grant.removed', grant, before, ...change })
      })
    },

    /** What accepting an invitation to a project does; part of its transaction. */
    async accept(
      trx: Transaction<Database>,
      emit: Emit,
      { productRole, ...change }: Change & { productRole: string | null },
    ): Promise<void> {
      const { projectId, personId } = change
      const within = createGrantRepository(trx)
      await projects.within(trx).lock(projectId)
      const before = await projects.within(trx).readerIds(projectId)
      const grantId = await within.add(projectId, personId, productRole)
      if (grantId === undefined) return
      const grant = await found(within, projectId, grantId)
      await conclude(trx, emit, { event: 'grant.added', grant, before, ...change })
    },
  }
}
export type GrantService = ReturnType<typeof createGrantService>

/** One person holds a role of a project once. */
function refuseDouble(error: unknown): never {
  const constraint = violatedConstraint(error)
  throw constraint === 'project_grant_project_id_person_id_product_role_key'
    ? new AppError('ALREADY_GRANTED')
    : error
}
