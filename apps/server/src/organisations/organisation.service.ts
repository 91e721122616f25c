import type { BodyOf, Organisation, OrganisationMember, organisationEndpoints } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { createOnce } from '#platform/database/idempotency.ts'
import { refuseStale } from '#platform/database/revision.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { AuditEvent, AuditService } from '../audit/audit.service.ts'
import { changeDetail } from '../audit/change-detail.ts'
import type { PeopleService } from '../people/people.service.ts'
import { announceOrganisation } from './announcements.ts'
import { createOrganisationRepository, type OrganisationChanges } from './organisation.repository.ts'

interface OrganisationServiceParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  people: PeopleService
  /** Limit of organisations that a person other than root may own. */
  mostPerPerson: number
  /** Publishes the projects of an organisation whose owner has changed, because their readers have changed as well. */
  announceProjectsOf: (
    trx: Transaction<Database>,
    emit: Emit,
    change: { organisationId: string; formerOwner: string },
  ) => Promise<void>
}

export function createOrganisationService({
  db,
  events,
  audit,
  people,
  mostPerPerson,
  announceProjectsOf,
}: OrganisationServiceParts) {
  const organisations = createOrganisationRepository(db)

  /** Throws NOT_FOUND unless the caller may see the organisation. */
  async function seen(caller: Caller, orgId: string, from = organisations): Promise<Organisation> {
    const organisation = await from.find(caller, orgId)
    if (organisation === undefined) throw new AppError('NOT_FOUND')
    return organisation
  }

  async function edited(caller: Caller, orgId: string, from = organisations): Promise<Organisation> {
    const organisation = await seen(caller, orgId, from)
    if (organisation.access === 'member') throw new AppError('FORBIDDEN')
    return organisation
  }

  async function record(
    trx: Transaction<Database>,
    event: AuditEvent,
    row: { personId: string; orgId: string; address: string; detail: Record<string, unknown> },
  ): Promise<void> {
    const { personId, orgId, address, detail } = row
    await audit
      .within(trx)
      .record({ event, result: 'success', actorId: personId, target: orgId, address, detail })
  }

  /** Enforces the limit of owned organisations. Locks the owner, so that concurrent changes count each other. */
  async function checkRoom(trx: Transaction<Database>, caller: Caller, ownerId: string): Promise<void> {
    if (caller.isRoot) return
    await people.within(trx).lock(ownerId)
    if ((await createOrganisationRepository(trx).countOwnedBy(ownerId)) < mostPerPerson) return
    throw new AppError('TOO_MANY_ORGANISATIONS', {
      message: {
        de: `One person can own ${mostPerPerson} organisations. Ask root to raise the limit`,
        'de-DE': `Eine Person kann ${mostPerPerson} Organisationen besitzen. Bitten Sie Root, die Grenze anzuheben`,
      },
    })
  }

  return {
    list: organisations.list,
    ownerOf: organisations.ownerOf,
    isMember: organisations.isMember,
    readersAmong: organisations.readersAmong,
    read: seen,
    /** Throws unless the caller may edit the organisation. */
    checkEdited: (caller: Caller, orgId: string) => edited(caller, orgId),

    async create(
      caller: Caller,
      { label }: { label: string },
      { address, idempotencyKey }: { address: string; idempotencyKey: string | undefined },
    ): Promise<Organisation> {
      const { personId } = caller
      const id = await events.transaction(async (trx, emit) => {
        const within = createOrganisationRepository(trx)
        const key = { personId, path: '/orgs', key: idempotencyKey, body: { label } }
        const { id: orgId, isNew } = await createOnce(trx, key, async () => {
          await checkRoom(trx, caller, personId)
          return within.add(label, personId)
        })
        if (isNew) {
          await record(trx, 'organisation.created', { personId, orgId, address, detail: { label } })
          await announceOrganisation(emit, orgId, 'upsert')
        }
        return orgId
      })
      return seen(caller, id)
    },

    async update(
      caller: Caller,
      orgId: string,
      body: BodyOf<typeof organisationEndpoints.update>,
      { address, revision }: { address: string; revision: number | undefined },
    ): Promise<Organisation> {
      const { personId } = caller
      // Also checked before the row is locked, so that a rejected call blocks no other.
      refuseStale(await edited(caller, orgId), revision)
      return events.transaction(async (trx, emit) => {
        const within = createOrganisationRepository(trx)
        await within.lock(orgId)
        const before = await edited(caller, orgId, within)
        refuseStale(before, revision)
        const changes = changesOf(before, body)
        if (Object.keys(changes).length === 0) return before
        if (changes.owner !== undefined) {
          if (!(await within.isMember(orgId, changes.owner))) throw notMember()
          await checkRoom(trx, caller, changes.owner)
        }

        await within.update(orgId, changes, personId)
        const detail = changeDetail(before, changes)
        await record(trx, 'organisation.changed', { personId, orgId, address, detail })
        await announceOrganisation(emit, orgId, 'upsert')
        if (changes.owner !== undefined)
          await announceProjectsOf(trx, emit, { organisationId: orgId, formerOwner: before.owner })
        return seen(caller, orgId, within)
      })
    },

    async remove(caller: Caller, orgId: string, address: string): Promise<void> {
      const { personId } = caller
      await events.transaction(async (trx, emit) => {
        const within = createOrganisationRepository(trx)
        await within.lock(orgId)
        const { label } = await edited(caller, orgId, within)
        const projects = await within.projectsOf(orgId)
        if (projects.length > 0) throw new AppError('ORGANISATION_HAS_PROJECTS', { data: { projects } })
        const audience = await within.readerIds(orgId)
        await within.remove(orgId)
        await record(trx, 'organisation.removed', { personId, orgId, address, detail: { label } })
        await announceOrganisation(emit, orgId, 'remove', audience)
      })
    },

    async members(caller: Caller, orgId: string): Promise<OrganisationMember[]> {
      await seen(caller, orgId)
      return organisations.members(orgId)
    },

    /** Permitted to the owner, to root, and to members for themselves. */
    async removeMember(caller: Caller, orgId: string, person: string, address: string): Promise<void> {
      const { personId } = caller
      await events.transaction(async (trx, emit) => {
        const within = createOrganisationRepository(trx)
        await within.lock(orgId)
        const { owner, access } = await seen(caller, orgId, within)
        if (access === 'member' && person !== personId) throw new AppError('FORBIDDEN')
        if (person === owner) throw new AppError('OWNER_STAYS')
        if (!(await within.removeMember(orgId, person))) throw new AppError('NOT_FOUND')
        await record(trx, 'membership.removed', { personId, orgId, address, detail: { person } })
        await announceOrganisation(emit, orgId, 'upsert')
        const isReader = (await within.readersAmong([orgId], [person])).has(orgId)
        if (!isReader) await announceOrganisation(emit, orgId, 'remove', [person])
      })
    },

    /** Adds a member in the transaction that accepts an invitation. */
    async addMember(
      trx: Transaction<Database>,
      emit: Emit,
      joining: { orgId: string; personId: string; address: string },
    ): Promise<void> {
      const { orgId, personId, address } = joining
      const within = createOrganisationRepository(trx)
      await within.lock(orgId)
      if (!(await within.addMember(orgId, personId))) return
      await record(trx, 'membership.added', { personId, orgId, address, detail: { person: personId } })
      await announceOrganisation(emit, orgId, 'upsert')
    },
  }
}
export type OrganisationService = ReturnType<typeof createOrganisationService>

/** Returns the fields of a body that differ from the organisation. */
const changesOf = (
  before: Organisation,
  { label, owner }: BodyOf<typeof organisationEndpoints.update>,
): OrganisationChanges => ({
  ...(label !== undefined && label !== before.label && { label }),
  ...(owner !== undefined && owner !== before.owner && { owner }),
})

function notMember(): AppError {
  const message = 'The new owner must be a member'
  return new AppError('VALIDATION_FAILED', { message, issues: [{ path: ['owner'], message }] })
}
