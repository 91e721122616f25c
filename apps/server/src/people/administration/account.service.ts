import type { Account, Belongings, BodyOf, ReplyOf, rootPeopleEndpoints } from '@pult/contract'
import type { Kysely, Transaction } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import { type Db, violatedConstraint } from '#platform/database/database.ts'
import { refuseStale } from '#platform/database/revision.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Caller } from '#platform/http/route.ts'
import type { Emit, Events } from '#platform/realtime/events.ts'
import type { NoticeService } from '../../account/notices/notice.service.ts'
import type { Notice } from '../../account/notices/notice.ts'
import type { AuditEvent, AuditService } from '../../audit/audit.service.ts'
import type { Attempts } from '../../auth/attempts.ts'
import type { Revoke } from '../../auth/revocation.ts'
import type { SessionService } from '../../auth/session/session.service.ts'
import { forgetFailures, lockedAmong, unlock } from '../../auth/unlock.ts'
import { voidLinksCreatedBy } from '../../token-links/void-links.ts'
import type { PeopleService } from '../people.service.ts'
import {
  type AccountChanges,
  type AccountListQuery,
  type AccountRepository,
  createAccountRepository,
  type Place,
  type StoredAccount,
} from './account.repository.ts'

interface AccountServiceParts {
  db: Kysely<Database>
  events: Events
  audit: AuditService
  people: PeopleService
  attempts: Attempts
  sessions: Pick<SessionService, 'isOpen'>
  notices: NoticeService
  revoke: Revoke
  /** Publishes a change of permissions to these people. */
  announceAccess: (emit: Emit, personIds: Iterable<string>) => Promise<void>
  /** Publish the places of a deleted person to their remaining readers. */
  announceProjects: (emit: Emit, projectIds: readonly string[]) => Promise<void>
  announceOrganisations: (emit: Emit, orgIds: readonly string[]) => Promise<void>
}

type UpdateBody = BodyOf<typeof rootPeopleEndpoints.update>
type FoundAccount = StoredAccount & Account

/** Administers accounts for root. */
export function createAccountService(parts: AccountServiceParts) {
  const { db, events, audit, people, attempts, sessions, notices, revoke } = parts
  const { announceAccess, announceProjects, announceOrganisations } = parts

  async function withLocks(stored: readonly StoredAccount[], trx: Db = db): Promise<FoundAccount[]> {
    const locked = await lockedAmong(
      attempts.within(trx),
      stored.map(({ _id }) => _id),
    )
    return stored.map((account) => ({ ...account, isLocked: locked.has(account._id) }))
  }

  async function found(personId: string, trx: Db = db): Promise<FoundAccount> {
    const stored = await createAccountRepository(trx).find(personId)
    const [account] = await withLocks(stored === undefined ? [] : [stored], trx)
    if (account === undefined) throw new AppError('NOT_FOUND')
    return account
  }

  /** Acquires the lock that serialises changes to accounts. */
  async function begin(trx: Transaction<Database>): Promise<AccountRepository> {
    const within = createAccountRepository(trx)
    await within.lockAll()
    return within
  }

  /** Rejects a caller who lost the permission while waiting for the lock. */
  async function checkStillRoot(trx: Transaction<Database>, { personId, sessionId }: Caller): Promise<void> {
    if (!(await sessions.isOpen(trx, sessionId))) throw new AppError('UNAUTHENTICATED')
    const now = await people.within(trx).findById(personId)
    if (now?.is_root !== true) throw new AppError('FORBIDDEN')
  }

  async function keepARoot(within: AccountRepository, before: Account, after: Account | null): Promise<void> {
    if (!canAdminister(before) || (after !== null && canAdminister(after))) return
    if (!(await within.hasOtherRoot(before._id))) throw new AppError('LAST_ROOT')
  }

  return {
    async list(query: AccountListQuery): Promise<ReplyOf<typeof rootPeopleEndpoints.list>> {
      const page = await createAccountRepository(db).list(query)
      return { ...page, items: await withLocks(page.items) }
    },

    async belongings(personId: string): Promise<Belongings> {
      if ((await people.findById(personId)) === undefined) throw new AppError('NOT_FOUND')
      return createAccountRepository(db).belongings(personId)
    },

    read: (personId: string): Promise<Account> => found(personId),

    async update(
      caller: Caller,
      personId: string,
      body: UpdateBody,
      { address, revision }: { address: string; revision: number | undefined },
    ): Promise<Account> {
      // Also checked before anything is locked, so that a rejected call blocks no other.
      refuseStale(await found(personId), revision)
      return events.transaction(async (trx, emit) => {
        const within = await begin(trx)
        await people.within(trx).lock(personId)
        const before = await found(personId, trx)
        refuseStale(before, revision)
        await checkStillRoot(trx, caller)
        const changes = changesOf(before, body)
        if (Object.keys(changes).length === 0) return before
        await keepARoot(within, before, { ...before, ...changes })

        await within.update(personId, changes, caller.personId)
        const row = { result: 'success', actorId: caller.personId, target: personId, address } as const
        for (const { event, notice } of consequencesOf(changes)) {
          await audit.within(trx).record({ event, ...row, detail: { about: before.email } })
          await notices.send(trx, personId, notice)
        }
        if (changes.isDisabled) await revoke(trx, emit, { personId })
        if (changes.isRoot !== undefined) await announceAccess(emit, [personId])
        return found(personId, trx)
      })
    },

    async remove(caller: Caller, personId: string, address: string): Promise<void> {
      await found(personId)
      await events.transaction(async (trx, emit) => {
        const within = await begin(trx)
        await checkStillRoot(trx, caller)
        const places = await within.lockPlaces(personId)
        await people.within(trx).lock(personId)
        const account = await found(personId, trx)
        await keepARoot(within, account, null)
        const owned = { organisations: ownedOf(places.organisations), projects: ownedOf(places.projects) }
        if (owned.organisations.length + owned.projects.length > 0)
          throw new AppError('PERSON_OWNS', { data: owned })

        const { firstname, lastname, email } = account
        await notices.send(trx, personId, { kind: 'account-removed' })
        await revoke(trx, emit, { personId })
        await voidLinksCreatedBy(trx, personId)
        await forgetFailures(trx, personId)
        await within.remove(personId)
        await audit.within(trx).record({
          event: 'person.removed',
          result: 'success',
          actorId: caller.personId,
          target: personId,
          address,
          detail: { about: email, name: `${firstname} ${lastname}` },
        })
        await announceOrganisations(emit, joinedOf(places.organisations))
        await announceProjects(emit, joinedOf(places.projects))
      })
    },

    /** Verifies the address of an account. Has no effect if the address is already verified. */
    async confirmEmail(caller: Caller, personId: string, address: string): Promise<void> {
      const { email } = await found(personId)
      await db.transaction().execute(async (trx) => {
        if (!(await people.within(trx).verifyEmail(personId, email).catch(refuseTakenAddress))) return
        await audit.within(trx).record({
          event: 'email.verified',
          result: 'success',
          actorId: caller.personId,
          target: personId,
          address,
          detail: { about: email, by: 'root' },
        })
      })
    },

    async unlock(caller: Caller, personId: string, address: string): Promise<void> {
      await found(personId)
      await db
        .transaction()
        .execute((trx) => unlock(trx, audit, { personId, actorId: caller.personId, address }))
    },
  }
}
export type AccountService = ReturnType<typeof createAccountService>

function refuseTakenAddress(error: unknown): never {
  throw violatedConstraint(error) === 'email_verified' ? new AppError('ADDRESS_TAKEN') : error
}

const canAdminister = ({ isRoot, isDisabled }: Account) => isRoot && !isDisabled

const joinedOf = (places: readonly Place[]) => places.flatMap(({ _id, isJoined }) => (isJoined ? [_id] : []))

const ownedOf = (places: readonly Place[]) =>
  places.flatMap(({ _id, label, isOwned }) => (isOwned ? [{ _id, label }] : []))

/** Returns the fields of a body that differ from the account. */
const changesOf = (before: Account, { isRoot, isDisabled }: UpdateBody): AccountChanges => ({
  ...(isRoot !== undefined && isRoot !== before.isRoot && { isRoot }),
  ...(isDisabled !== undefined && isDisabled !== before.isDisabled && { isDisabled }),
})

/** Returns the audit event and the notice of each changed field. */
function consequencesOf({ isRoot, isDisabled }: AccountChanges): { event: AuditEvent; notice: Notice }[] {
  return [
    ...(isRoot === undefined
      ? []
      : [
          isRoot
            ? ({ event: 'person.promoted', notice: { kind: 'root-granted' } } as const)
            : ({ event: 'person.demoted', notice: { kind: 'root-withdrawn' } } as const),
        ]),
    ...(isDisabled === undefined
      ? []
      : [
          isDisabled
            ? ({ event: 'person.disabled', notice: { kind: 'account-disabled' } } as const)
            : ({ event: 'person.enabled', notice: { kind: 'account-enabled' } } as const),
        ]),
  ]
}
