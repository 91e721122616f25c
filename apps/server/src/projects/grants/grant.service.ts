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
import type { AccessRequestService } from '../access-requests/access-request.service.ts'
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
  accessRequests: Pick<AccessRequestService, 'granted'>
}

/** The actor, project and address of a change. */
interface Change {
  personId: string
  projectId: string
  address: string
}

interface RecordedChange extends Change {
  event: AuditEvent
  grant: Grant
  /** The previous role of a changed grant. */
  from?: string | null
}

/**
 * Manages grants: root adds, changes and removes them, and a project's owner changes their roles. The routes have
 * checked the caller.
 */
export function createGrantService(parts: GrantServiceParts) {
  const { db, events, audit, people, products, projects, accessRequests } = parts

  async function record(
    trx: Transaction<Database>,
    { event, grant, from, personId, projectId, address }: RecordedChange,
  ): Promise<void> {
    await audit.within(trx).record({
      event,
      result: 'success',
      actorId: personId,
      target: grant.user,
      projectId,
      address,
      detail: { grant: grant._id, productRole: grant.productRole, ...(from !== undefined && { from }) },
    })
    const { user, productRole } = grant
    if (event !== 'grant.removed' && productRole !== null)
      await accessRequests.granted(trx, { projectId, personId: user, productRole, by: personId })
  }

  /** Publishes a change to all affected users. `before` are the readers before the change. */
  async function announce(
    trx: Transaction<Database>,
    emit: Emit,
    { projectId, user, before }: { projectId: string; user: string; before: readonly string[] },
  ): Promise<void> {
    const after = await projects.within(trx).readerIds(projectId)
    await announceProject(emit, projectId, { before, after })
    await announceAccess(emit, [user])
  }

  async function conclude(
    trx: Transaction<Database>,
    emit: Emit,
    { before, ...change }: RecordedChange & { before: readonly string[] },
  ): Promise<void> {
    await record(trx, change)
    await announce(trx, emit, { projectId: change.projectId, user: change.grant.user, before })
  }

  async function found(within: GrantRepository, projectId: string, grantId: string): Promise<Grant> {
    const grant = await within.find(projectId, grantId)
    if (grant === undefined) throw new AppError('NOT_FOUND')
    return grant
  }

  return {
    /** Lists the person's grants in all projects. */
    async listOf(personId: string): Promise<GrantOfPerson[]> {
      if ((await people.findById(personId)) === undefined) throw new AppError('NOT_FOUND')
      return createGrantRepository(db).listOf(personId)
    },

    async add(
      caller: Caller,
      projectId: string,
      user: string,
      address: string,
      productRole: string | null = null,
    ): Promise<Grant> {
      if ((await people.findById(user)) === undefined) throw new AppError('UNKNOWN_PERSON')
      return events.transaction(async (trx, emit) => {
        const within = createGrantRepository(trx)
        const skus = await projects.within(trx).lock(projectId)
        if (productRole !== null && !products.hasRole(productRole, skus))
          throw new AppError('UNKNOWN_PRODUCT_ROLE')
        const before = await projects.within(trx).readerIds(projectId)
        const grantId = await within.add(projectId, user, productRole)
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

    /** Adds and removes the person's grants so that exactly these roles remain. Returns the grants. */
    async setRoles(
      caller: Caller,
      { projectId, personId: user }: { projectId: string; personId: string },
      productRoles: readonly string[],
      address: string,
    ): Promise<Grant[]> {
      if ((await people.findById(user)) === undefined) throw new AppError('UNKNOWN_PERSON')
      return events.transaction(async (trx, emit) => {
        const within = createGrantRepository(trx)
        const skus = await projects.within(trx).lock(projectId)
        const present = await within.listIn(projectId, user)
        const held = new Set(present.map(({ productRole }) => productRole))
        const added = [...new Set(productRoles)].filter((role) => !held.has(role))
        const removed = present.filter(
          ({ productRole }) => productRole === null || !productRoles.includes(productRole),
        )
        // A role that the person holds may stay, even if the project no longer uses its product.
        if (!added.every((role) => products.hasRole(role, skus))) throw new AppError('UNKNOWN_PRODUCT_ROLE')
        if (added.length === 0 && removed.length === 0) return present
        const before = await projects.within(trx).readerIds(projectId)
        const change = { personId: caller.personId, projectId, address }
        for (const grant of removed) {
          await within.remove(grant._id)
          await record(trx, { event: 'grant.removed', grant, ...change })
        }
        for (const role of added) {
          const grantId = await within.add(projectId, user, role)
          if (grantId === undefined) throw new AppError('NOT_FOUND')
          const grant = await found(within, projectId, grantId)
          await record(trx, { event: 'grant.added', grant, ...change })
        }
        await announce(trx, emit, { projectId, user, before })
        return within.listIn(projectId, user)
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

    /** Adds a grant in the transaction that accepts an invitation. */
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

/** Maps the error for a role that the person already holds. */
function refuseDouble(error: unknown): never {
  const constraint = violatedConstraint(error)
  throw constraint === 'project_grant_project_id_person_id_product_role_key'
    ? new AppError('ALREADY_GRANTED')
    : error
}
