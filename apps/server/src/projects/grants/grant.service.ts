import type { Grant } from '@pult/contract'
import type { Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { violatedConstraint } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import { emitChange } from '#platform/realtime/changes.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { AuditEvent, AuditService } from '../../audit/audit.service.ts'
import type { ProductRegistry } from '../../extensions/manifests/registry.ts'
import type { PeopleService } from '../../people/people.service.ts'
import { createProjectRepository, type ProjectRepository } from '../project.repository.ts'
import { announceProject } from '../project.service.ts'

interface GrantServiceParts {
  events: Events
  audit: AuditService
  people: PeopleService
  products: ProductRegistry
}

/** The topic of what a person may do, and what that person's console asks again when it changes. */
export const accessTopic = 'me'

/** Grants: root adds, changes and removes them, a project's owner changes their roles. The callers have been checked. */
export function createGrantService({ events, audit, people, products }: GrantServiceParts) {
  /** One change of the grants of a project: nobody else changes them meanwhile, and all who are concerned are told. */
  async function change<Result>(
    projectId: string,
    work: (within: ProjectRepository, trx: Transaction<Database>, emit: Emit) => Promise<Result>,
  ): Promise<Result> {
    return events.transaction(async (trx, emit) => {
      const within = createProjectRepository(trx)
      await within.lock(projectId)
      const before = await within.readerIds(projectId)
      const result = await work(within, trx, emit).catch(refuseDouble)
      const after = await within.readerIds(projectId)
      await announceProject(emit, projectId, { before, after })
      return result
    })
  }

  async function record(
    trx: Transaction<Database>,
    emit: Emit,
    event: AuditEvent,
    {
      caller,
      address,
      projectId,
      grant,
    }: { caller: Caller; address: string; projectId: string; grant: Grant },
  ): Promise<void> {
    await audit.within(trx).record({
      event,
      result: 'success',
      actorId: caller.personId,
      target: grant.user,
      projectId,
      address,
      detail: { grant: grant._id, productRole: grant.productRole },
    })
    await emitChange(emit, {
      topic: accessTopic,
      collection: 'credentials',
      op: 'upsert',
      id: grant.user,
      audience: [grant.user],
    })
  }

  async function found(within: ProjectRepository, projectId: string, grantId: string): Promise<Grant> {
    const grant = await within.findGrant(projectId, grantId)
    if (grant === undefined) throw new AppError('NOT_FOUND')
    return grant
  }

  return {
    async add(caller: Caller, projectId: string, user: string, address: string): Promise<Grant> {
      if ((await people.findById(user)) === undefined) throw new AppError('UNKNOWN_PERSON')
      return change(projectId, async (within, trx, emit) => {
        const grant = await found(within, projectId, await within.addGrant(projectId, user, null))
        await record(trx, emit, 'grant.added', { caller, address, projectId, grant })
        return grant
      })
    },

    async setProductRole(
      caller: Caller,
      { projectId, grantId }: { projectId: string; grantId: string },
      productRole: string | null,
      { address, skus }: { address: string; skus: readonly string[] },
    ): Promise<Grant> {
      if (productRole !== null && !products.hasRole(productRole, skus))
        throw new AppError('UNKNOWN_PRODUCT_ROLE')
      return change(projectId, async (within, trx, emit) => {
        const before = await found(within, projectId, grantId)
        if (before.productRole === productRole) return before
        await within.setProductRole(grantId, productRole)
        const grant = { ...before, productRole }
        await record(trx, emit, 'grant.changed', { caller, address, projectId, grant })
        return grant
      })
    },

    async remove(
      caller: Caller,
      { projectId, grantId }: { projectId: string; grantId: string },
      address: string,
    ): Promise<void> {
      await change(projectId, async (within, trx, emit) => {
        const grant = await found(within, projectId, grantId)
        await within.removeGrant(grantId)
        await record(trx, emit, 'grant.removed', { caller, address, projectId, grant })
      })
    },

    /** What accepting an invitation to a project does; part of its transaction. */
    async accept(
      trx: Transaction<Database>,
      emit: Emit,
      {
        projectId,
        personId,
        productRole,
      }: { projectId: string; personId: string; productRole: string | null },
    ): Promise<void> {
      const within = createProjectRepository(trx)
      await within.lock(projectId)
      await within.joinProject(projectId, personId, productRole)
      await announceProject(emit, projectId, { before: [], after: [] })
      await emitChange(emit, {
        topic: accessTopic,
        collection: 'credentials',
        op: 'upsert',
        id: personId,
        audience: [personId],
      })
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
