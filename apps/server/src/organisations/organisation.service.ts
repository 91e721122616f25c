import type { Organisation, OrganisationMember } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { createOnce } from '#platform/database/idempotency.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import { emitChange } from '#platform/realtime/changes.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { AuditEvent, AuditService } from '../audit/audit.service.ts'
import { createOrganisationRepository } from './organisation.repository.ts'

interface OrganisationServiceParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
}

/** What comes with a change beside its fields. */
export interface ChangeOrigin {
  address: string
  revision: number | undefined
}

export const organisationTopic = 'organisations'

export function createOrganisationService({ db, events, audit }: OrganisationServiceParts) {
  const organisations = createOrganisationRepository(db)

  /** What is not seen does not exist; what is seen may still be somebody else's. */
  async function seen(caller: Caller, orgId: string): Promise<Organisation> {
    const organisation = await organisations.find(caller, orgId)
    if (organisation === undefined) throw new AppError('NOT_FOUND')
    return organisation
  }

  async function edited(caller: Caller, orgId: string): Promise<Organisation> {
    const organisation = await seen(caller, orgId)
    if (organisation.access === 'member') throw new AppError('FORBIDDEN')
    return organisation
  }

  async function record(
    trx: Transaction<Database>,
    caller: Caller,
    event: AuditEvent,
    target: string,
    address: string,
    detail: Record<string, unknown>,
  ): Promise<void> {
    await audit.within(trx).record({
      event,
      result: 'success',
      actorId: caller.personId,
      target,
      address,
      detail,
    })
  }

  const announce = (emit: Emit, id: string, op: 'upsert' | 'remove', audience?: readonly string[]) =>
    emitChange(emit, {
      topic: organisationTopic,
      collection: 'organisations',
      op,
      id,
      ...(audience === undefined ? {} : { audience }),
    })

  return {
    list: organisations.list,
    ownerOf: organisations.ownerOf,
    readersAmong: organisations.readersAmong,
    read: seen,
    /** Throws unless the caller may edit it. */
    checkEdited: edited,

    async create(
      caller: Caller,
      { label }: { label: string },
      { address, idempotencyKey }: { address: string; idempotencyKey: string | undefined },
    ): Promise<Organisation> {
      const { personId } = caller
      const id = await events.transaction(async (trx, emit) => {
        const key = { personId, path: '/orgs', key: idempotencyKey }
        const made = await createOnce(trx, key, () => createOrganisationRepository(trx).add(label, personId))
        if (made.isNew) {
          await record(trx, caller, 'organisation.created', made.id, address, { label })
          await announce(emit, made.id, 'upsert')
        }
        return made.id
      })
      return seen(caller, id)
    },

    async update(
      caller: Caller,
      orgId: string,
      changes: { label?: string | undefined; owner?: string | undefined },
      { address, revision }: ChangeOrigin,
    ): Promise<Organisation> {
      const before = await edited(caller, orgId)
      const wanted = {
        ...(changes.label !== undefined && changes.label !== before.label && { label: changes.label }),
        ...(changes.owner !== undefined && changes.owner !== before.owner && { owner: changes.owner }),
      }
      if (Object.keys(wanted).length === 0 && (revision === undefined || revision === before.revision))
        return before
      await events.transaction(async (trx, emit) => {
        const within = createOrganisationRepository(trx)
        await within.lock(orgId)
        if (wanted.owner !== undefined && !(await within.memberIds(orgId)).includes(wanted.owner)) {
          throw new AppError('VALIDATION_FAILED', {
            message: 'The new owner has to be a member',
            issues: [{ path: ['owner'], message: 'The new owner has to be a member' }],
          })
        }
        if (!(await within.update(orgId, wanted, { changedBy: caller.personId, revision }))) {
          const current = await within.find(caller, orgId)
          if (current === undefined) throw new AppError('NOT_FOUND')
          const { updatedAt, updatedBy } = current
          throw new AppError('REVISION_CONFLICT', { data: { current, updatedAt, updatedBy } })
        }
        await record(trx, caller, 'organisation.changed', orgId, address, wanted)
        await announce(emit, orgId, 'upsert')
      })
      return seen(caller, orgId)
    },

    async remove(caller: Caller, orgId: string, address: string): Promise<void> {
      const { label } = await edited(caller, orgId)
      await events.transaction(async (trx, emit) => {
        const within = createOrganisationRepository(trx)
        await within.lock(orgId)
        const projects = await within.projectsOf(orgId)
        if (projects.length > 0) throw new AppError('ORGANISATION_HAS_PROJECTS', { data: { projects } })
        const audience = await within.memberIds(orgId)
        await within.remove(orgId)
        await record(trx, caller, 'organisation.removed', orgId, address, { label })
        await announce(emit, orgId, 'remove', audience)
      })
    },

    async members(caller: Caller, orgId: string): Promise<OrganisationMember[]> {
      await seen(caller, orgId)
      return organisations.members(orgId)
    },

    /** By its owner, by root, and by members for themselves. */
    async removeMember(caller: Caller, orgId: string, personId: string, address: string): Promise<void> {
      const { owner, access } = await seen(caller, orgId)
      if (access === 'member' && personId !== caller.personId) throw new AppError('FORBIDDEN')
      if (personId === owner) throw new AppError('OWNER_STAYS')
      await events.transaction(async (trx, emit) => {
        const within = createOrganisationRepository(trx)
        await within.lock(orgId)
        if (!(await within.removeMember(orgId, personId))) throw new AppError('NOT_FOUND')
        await record(trx, caller, 'membership.removed', orgId, address, { person: personId })
        await announce(emit, orgId, 'remove', [personId])
        await announce(emit, orgId, 'upsert')
      })
    },

    /** What accepting an invitation does; part of its transaction. */
    async addMember(trx: Transaction<Database>, emit: Emit, orgId: string, personId: string): Promise<void> {
      await createOrganisationRepository(trx).addMember(orgId, personId)
      await announce(emit, orgId, 'upsert')
    },
  }
}
export type OrganisationService = ReturnType<typeof createOrganisationService>
