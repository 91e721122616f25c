import { randomUUID } from 'node:crypto'
import { defaultConsoleColor, type EdgeReport } from '@pult/contract'
import type { Transaction } from 'kysely'
import { V7Generator } from 'uuidv7'
import { createOtpRepository } from '../../apps/server/src/account/otp/otp.repository.ts'
import { newRecoveryCodes } from '../../apps/server/src/account/otp/recovery-codes.ts'
import { newSeed } from '../../apps/server/src/account/otp/totp.ts'
import type { AuditRow } from '../../apps/server/src/audit/audit.repository.ts'
import { changeDetail } from '../../apps/server/src/audit/change-detail.ts'
import {
  type Invitation,
  invitationAction,
  invitationLifetime,
  targetOf,
} from '../../apps/server/src/invitations/invitation.ts'
import { emailKey } from '../../apps/server/src/people/email-address.ts'
import { createPeopleRepository } from '../../apps/server/src/people/people.repository.ts'
import type { Database } from '../../apps/server/src/platform/database/schema.ts'
import { hashToken, newToken, type Secrets } from '../../apps/server/src/platform/secrets.ts'
import { storedOf, type TaskText } from '../../apps/server/src/tasks/task.ts'
import { type DemoName, demoPeople, workplaces } from './demo-people.ts'

/** The target of an invitation: an organisation, or a role in a project. */
export type Place = { organisationId: string } | { projectId: string; productRole: string }

export interface SentInvitation {
  linkId: string
  /** Null if the installation itself sent the invitation. */
  by: DemoName | null
  data: Invitation
}

/** An ended task, finished by default. */
export interface EndedTask {
  type: string
  kind?: 'info' | 'download-generation'
  title: string
  /** The task's duration. */
  seconds: number
  progress?: [number, number]
  info?: TaskText
  /** The error of a rejected task. */
  error?: TaskText
  end?: 'timed-out' | 'aborted'
  log?: TaskText[]
}

interface RecordsParts {
  /** The start of today. All records are older. */
  today: Date
  passwordHash: string
  secrets: Secrets
}

/** The column of a text's message. */
const jsonOf = (text: TaskText | undefined) =>
  text === undefined || typeof text === 'string' ? null : JSON.stringify(storedOf(text).message)

const noMeta = { customer: '', projectId: '' }

/**
 * Writes records as the rooms would have written them at an earlier time, with their audit rows. Writes no events,
 * because there are no subscribers yet.
 */
export function createDemoRecords(
  trx: Transaction<Database>,
  { today, passwordHash, secrets }: RecordsParts,
) {
  const generator = new V7Generator()
  const people = createPeopleRepository(trx)
  const personIds = new Map<DemoName, string>()
  const rows: (AuditRow & { at: Date })[] = []

  const idAt = (at: Date) => generator.generateOrResetWithTs(at.getTime()).toString()

  function idOf(name: DemoName): string {
    const id = personIds.get(name)
    if (id === undefined) throw new Error(`${name} has no account yet`)
    return id
  }

  /** Adds an audit row; `by` is null for unauthenticated callers. */
  function record(
    at: Date,
    by: DemoName | null,
    row: Omit<AuditRow, 'result' | 'actorId'> & { result?: 'failure' },
  ): void {
    const actor = by === null ? {} : { actorId: idOf(by), address: workplaces[by].address }
    rows.push({ at, result: 'success', ...actor, ...row })
  }

  async function addSession(name: DemoName, at: Date, minutes: number): Promise<void> {
    const { address, userAgent } = workplaces[name]
    const lastSeenAt = new Date(at.getTime() + minutes * 60_000)
    await trx
      .insertInto('session')
      .values({
        id: idAt(at),
        person_id: idOf(name),
        created_at: at,
        authenticated_at: at,
        last_seen_at: lastSeenAt,
        expires_at: new Date(at.getTime() + 30 * 24 * 3600_000),
        user_agent: userAgent,
        address,
      })
      .execute()
  }

  async function revise(
    table: 'person' | 'project' | 'note',
    id: string,
    by: DemoName,
    at: Date,
  ): Promise<void> {
    await trx
      .updateTable(table)
      .set((eb) => ({ revision: eb('revision', '+', 1), updated_at: at, updated_by: idOf(by) }))
      .where('id', '=', id)
      .execute()
  }

  async function changeNote(
    at: Date,
    by: DemoName,
    noteId: string,
    change: { text: string } | { is_pinned: true },
  ): Promise<void> {
    const { label, project_id: projectId } = await trx
      .updateTable('note')
      .set(change)
      .where('id', '=', noteId)
      .returning(['label', 'project_id'])
      .executeTakeFirstOrThrow()
    await revise('note', noteId, by, at)
    const fields = ['text' in change ? 'text' : 'isPinned']
    record(at, by, { event: 'note.changed', target: noteId, projectId, detail: { label, fields } })
  }

  /** Adds the user to the organisation or project of the invitation. */
  async function join(name: DemoName, { data }: SentInvitation, at: Date): Promise<void> {
    const { organisationId, projectId, productRole } = data
    if (organisationId !== undefined) {
      await trx
        .insertInto('membership')
        .values({ organisation_id: organisationId, person_id: idOf(name), created_at: at })
        .execute()
      record(at, name, {
        event: 'membership.added',
        target: organisationId,
        detail: { person: idOf(name) },
      })
    }
    if (projectId !== undefined) await addGrant(name, name, projectId, productRole ?? null, at)
  }

  async function addGrant(
    by: DemoName,
    holder: DemoName,
    projectId: string,
    productRole: string | null,
    at: Date,
  ): Promise<string> {
    const id = idAt(at)
    await trx
      .insertInto('project_grant')
      .values({
        id,
        project_id: projectId,
        person_id: idOf(holder),
        product_role: productRole,
        created_at: at,
      })
      .execute()
    const detail = { grant: id, productRole }
    record(at, by, { event: 'grant.added', target: idOf(holder), projectId, detail })
    return id
  }

  return {
    idOf,
    record,

    /** Returns the time of day (UTC) a number of days ago. */
    at(daysAgo: number, time: string): Date {
      const [hours = 0, minutes = 0] = time.split(':').map(Number)
      return new Date(today.getTime() - daysAgo * 24 * 3600_000 + (hours * 60 + minutes) * 60_000)
    },

    /** Records an invitation whose token was never disclosed. */
    async invite(
      at: Date,
      by: DemoName | null,
      email: string,
      { place, isRoot = false }: { place?: Place; isRoot?: boolean } = {},
    ): Promise<SentInvitation> {
      const linkId = idAt(at)
      const data: Invitation = { isRoot, isFirstRoot: by === null, ...place }
      const target = place === undefined ? '' : targetOf(place)
      await trx
        .insertInto('token_link')
        .values({
          id: linkId,
          token_hash: hashToken(newToken()),
          action: invitationAction,
          email,
          email_key: emailKey(email),
          data: JSON.stringify(data),
          target,
          created_at: at,
          created_by: by === null ? null : idOf(by),
          expires_at: new Date(at.getTime() + invitationLifetime * 1000),
        })
        .execute()
      record(at, by, {
        event: 'invitation.created',
        target: email,
        ...(place !== undefined && 'projectId' in place && { projectId: place.projectId }),
        detail: {
          link: linkId,
          ...(place === undefined ? { isRoot } : { to: target }),
          ...(place !== undefined && 'projectId' in place && { productRole: place.productRole }),
          ...(by === null && { isFirstRoot: true }),
        },
      })
      return { linkId, by, data }
    },

    /** Accepts an invitation, and registers an account if there is none. */
    async accept(at: Date, name: DemoName, invitation: SentInvitation): Promise<void> {
      const { email, firstname, lastname } = demoPeople[name]
      const { isRoot } = invitation.data
      const known = personIds.get(name) ?? (await people.findByVerifiedEmail(email))?.id
      const personId = known ?? (await people.add({ firstname, lastname, email, isRoot, passwordHash }))
      personIds.set(name, personId)
      if (known === undefined) {
        await trx
          .updateTable('person')
          .set({ created_at: at, updated_at: at })
          .where('id', '=', personId)
          .execute()
        await trx
          .updateTable('email')
          .set({ created_at: at, verified_at: at })
          .where('person_id', '=', personId)
          .execute()
      }
      await trx.updateTable('token_link').set({ used_at: at }).where('id', '=', invitation.linkId).execute()
      await join(name, invitation, at)
      const { organisationId, projectId } = invitation.data
      record(at, name, {
        event: 'invitation.redeemed',
        target: personId,
        ...(projectId !== undefined && { projectId }),
        detail: {
          link: invitation.linkId,
          invitedBy: invitation.by === null ? null : idOf(invitation.by),
          isRoot,
          ...(organisationId !== undefined && { to: targetOf({ organisationId }) }),
          ...(projectId !== undefined && { to: targetOf({ projectId }) }),
        },
      })
      await addSession(name, at, 45)
    },

    async revokeInvitation(at: Date, by: DemoName, email: string, place: Place, { linkId }: SentInvitation) {
      await trx.updateTable('token_link').set({ voided_at: at }).where('id', '=', linkId).execute()
      record(at, by, {
        event: 'invitation.revoked',
        target: email,
        ...('projectId' in place && { projectId: place.projectId }),
        detail: { link: linkId, to: targetOf(place) },
      })
    },

    async organisation(at: Date, by: DemoName, label: string): Promise<string> {
      const id = idAt(at)
      const ownerId = idOf(by)
      await trx
        .insertInto('organisation')
        .values({ id, label, owner_id: ownerId, created_at: at, updated_at: at, updated_by: ownerId })
        .execute()
      await trx
        .insertInto('membership')
        .values({ organisation_id: id, person_id: ownerId, created_at: at })
        .execute()
      record(at, by, { event: 'organisation.created', target: id, detail: { label } })
      return id
    },

    async removeMember(at: Date, by: DemoName, organisationId: string, name: DemoName): Promise<void> {
      const person = idOf(name)
      await trx
        .deleteFrom('membership')
        .where('organisation_id', '=', organisationId)
        .where('person_id', '=', person)
        .execute()
      record(at, by, { event: 'membership.removed', target: organisationId, detail: { person } })
    },

    async project(at: Date, by: DemoName, label: string, org: string | null): Promise<string> {
      const id = idAt(at)
      await trx
        .insertInto('project')
        .values({
          id,
          label,
          organisation_id: org,
          owner_id: idOf(by),
          products: ['project'],
          config: '{}',
          created_at: at,
          updated_at: at,
          updated_by: idOf(by),
        })
        .execute()
      record(at, by, { event: 'project.created', target: id, projectId: id, detail: { label, org } })
      return id
    },

    /** Records the first change of a new project. */
    async changeProject(
      at: Date,
      by: DemoName,
      projectId: string,
      changes: {
        meta?: { customer: string; projectId: string }
        config?: { consoleColor: string }
        products?: string[]
      },
    ): Promise<void> {
      const { meta, config, products } = changes
      const before = { products: ['project'], meta: noMeta, config: { consoleColor: defaultConsoleColor } }
      await trx
        .updateTable('project')
        .set({
          ...(meta !== undefined && { meta: JSON.stringify(meta) }),
          ...(config !== undefined && { config: JSON.stringify(config) }),
          ...(products !== undefined && { products }),
        })
        .where('id', '=', projectId)
        .execute()
      await revise('project', projectId, by, at)
      const detail = changeDetail(before, changes)
      record(at, by, { event: 'project.changed', target: projectId, projectId, detail })
    },

    async removeProject(at: Date, by: DemoName, projectId: string): Promise<void> {
      const { label } = await trx
        .deleteFrom('project')
        .where('id', '=', projectId)
        .returning('label')
        .executeTakeFirstOrThrow()
      record(at, by, { event: 'project.removed', target: projectId, projectId, detail: { label } })
    },

    async setDefaultProject(name: DemoName, projectId: string): Promise<void> {
      await trx
        .updateTable('person')
        .set({ default_project_id: projectId })
        .where('id', '=', idOf(name))
        .execute()
    },

    /** Records a grant that root adds, without a role. */
    grant: (at: Date, by: DemoName, projectId: string, holder: DemoName): Promise<string> =>
      addGrant(by, holder, projectId, null, at),

    async setRole(
      at: Date,
      by: DemoName,
      { projectId, grantId, holder }: { projectId: string; grantId: string; holder: DemoName },
      productRole: string,
    ): Promise<void> {
      const { product_role: from } = await trx
        .selectFrom('project_grant')
        .select('product_role')
        .where('id', '=', grantId)
        .executeTakeFirstOrThrow()
      await trx
        .updateTable('project_grant')
        .set({ product_role: productRole })
        .where('id', '=', grantId)
        .execute()
      const detail = { grant: grantId, productRole, from }
      record(at, by, { event: 'grant.changed', target: idOf(holder), projectId, detail })
    },

    async removeGrant(
      at: Date,
      by: DemoName,
      { projectId, grantId, holder }: { projectId: string; grantId: string; holder: DemoName },
    ): Promise<void> {
      const { product_role: productRole } = await trx
        .deleteFrom('project_grant')
        .where('id', '=', grantId)
        .returning('product_role')
        .executeTakeFirstOrThrow()
      const detail = { grant: grantId, productRole }
      record(at, by, { event: 'grant.removed', target: idOf(holder), projectId, detail })
    },

    async note(
      at: Date,
      by: DemoName,
      projectId: string,
      { label, text, isPinned = false }: { label: string; text: string; isPinned?: boolean },
    ): Promise<string> {
      const id = idAt(at)
      await trx
        .insertInto('note')
        .values({
          id,
          project_id: projectId,
          label,
          text,
          created_at: at,
          updated_at: at,
          updated_by: idOf(by),
        })
        .execute()
      record(at, by, { event: 'note.created', target: id, projectId, detail: { label } })
      if (isPinned) await changeNote(new Date(at.getTime() + 60_000), by, id, { is_pinned: true })
      return id
    },

    editNote: (at: Date, by: DemoName, noteId: string, text: string): Promise<void> =>
      changeNote(at, by, noteId, { text }),

    async task(
      at: Date,
      by: DemoName,
      projectId: string,
      { type, kind = 'info', title, seconds, progress, info, error, end, log = [] }: EndedTask,
    ): Promise<void> {
      const id = idAt(at)
      const endedAt = new Date(at.getTime() + seconds * 1000)
      await trx
        .insertInto('task')
        .values({
          id,
          project_id: projectId,
          type,
          kind,
          title,
          state: end ?? (error === undefined ? 'finished' : 'rejected'),
          progress_done: progress?.[0] ?? null,
          progress_total: progress?.[1] ?? null,
          info: info === undefined ? null : storedOf(info).text,
          info_message: jsonOf(info),
          error: error === undefined ? null : storedOf(error).text,
          error_message: jsonOf(error),
          created_by: idOf(by),
          fence: 1,
          lease_for: '15 seconds',
          created_at: at,
          started_at: at,
          deadline_at: end === 'timed-out' ? endedAt : new Date(at.getTime() + 3600_000),
          fulfilled_at: endedAt,
        })
        .execute()
      for (const [index, line] of log.entries()) {
        const loggedAt = new Date(at.getTime() + (index + 1) * 900)
        await trx
          .insertInto('task_log')
          .values({ task_id: id, at: loggedAt, line: storedOf(line).text, message: jsonOf(line) })
          .execute()
      }
      if (end === 'aborted')
        record(endedAt, by, { event: 'task.aborted', target: id, projectId, detail: { title, type } })
    },

    /** Records an offline edge with the time of its last report and a sent alert. */
    async silentEdge(
      at: Date,
      lastSeenAt: Date,
      by: DemoName,
      projectId: string,
      { label, report: { instances, ...report } }: { label: string; report: EdgeReport },
    ): Promise<void> {
      const id = idAt(at)
      const enrolledAt = new Date(at.getTime() + 90_000)
      await trx
        .insertInto('edge')
        .values({
          id,
          project_id: projectId,
          label,
          token_hash: hashToken(newToken()),
          created_at: at,
          enrolled_at: enrolledAt,
          updated_at: at,
          updated_by: idOf(by),
        })
        .execute()
      const alertedAt = new Date(lastSeenAt.getTime() + 75_000)
      await trx
        .insertInto('edge_presence')
        .values({
          edge_id: id,
          connection: randomUUID(),
          run: randomUUID(),
          version: '1.0.0',
          is_online: false,
          seen_at: lastSeenAt,
          offline_since: lastSeenAt,
          alerted_at: alertedAt,
          mailed_at: alertedAt,
          report: JSON.stringify({ ...report, instances }),
        })
        .execute()
      await trx.insertInto('edge_outage').values({ edge_id: id, begins: lastSeenAt }).execute()
      for (const { key, label: name } of instances) {
        const instance = { edge_id: id, key, reported_label: name, label: name, is_reported: true }
        await trx
          .insertInto('edge_instance')
          .values({ id: idAt(at), ...instance })
          .execute()
      }
      record(at, by, { event: 'edge.created', target: id, projectId, detail: { label } })
      const { address } = workplaces[by]
      record(enrolledAt, null, { event: 'edge.enrolled', target: id, projectId, address, detail: { label } })
    },

    /** Adds a second address, unverified without `verifiedAt`. */
    async addEmail(at: Date, name: DemoName, email: string, verifiedAt?: Date): Promise<void> {
      const personId = idOf(name)
      await trx
        .insertInto('email')
        .values({
          id: idAt(at),
          person_id: personId,
          email,
          email_key: emailKey(email),
          created_at: at,
          verification_sent_at: at,
          verified_at: verifiedAt ?? null,
        })
        .execute()
      const row = { target: personId, detail: { about: email } }
      record(at, name, { event: 'email.added', ...row })
      if (verifiedAt !== undefined) record(verifiedAt, name, { event: 'email.verified', ...row })
    },

    async enableOtp(at: Date, name: DemoName): Promise<void> {
      const personId = idOf(name)
      const otp = createOtpRepository(trx)
      await otp.setPending(personId, secrets.seal('otp', newSeed()), newRecoveryCodes())
      await otp.activatePending(personId, Math.floor(at.getTime() / 30_000))
      await trx.updateTable('otp').set({ enabled_at: at }).where('person_id', '=', personId).execute()
      record(at, name, { event: 'otp.enabled', target: personId })
    },

    /** Disables an account and ends its sessions. */
    async disable(at: Date, by: DemoName, name: DemoName): Promise<void> {
      const personId = idOf(name)
      await trx.updateTable('person').set({ disabled_at: at }).where('id', '=', personId).execute()
      await revise('person', personId, by, at)
      await trx
        .updateTable('session')
        .set({ ended_at: at })
        .where('person_id', '=', personId)
        .where('created_at', '<', at)
        .execute()
      const detail = { about: demoPeople[name].email }
      record(at, by, { event: 'person.disabled', target: personId, detail })
    },

    /** Records a sign-in and its session with a duration in minutes. */
    async login(at: Date, name: DemoName, minutes: number, { hasOtp }: { hasOtp: boolean }): Promise<void> {
      const target = idOf(name)
      const next = hasOtp ? 'otp' : 'redeem'
      record(at, name, { event: 'login.password', target, detail: { next } })
      const end = hasOtp ? new Date(at.getTime() + 20_000) : at
      if (hasOtp) record(end, name, { event: 'login.otp', target })
      await addSession(name, end, minutes)
    },

    /** Records a wrong password, without an actor, and without a target if the name is unknown. */
    failedLogin(at: Date, address: string, name?: DemoName): void {
      const target = name === undefined ? {} : { target: idOf(name) }
      record(at, null, { event: 'login.password', result: 'failure', address, ...target })
    },

    /** Writes the audit log in chronological order. */
    async finish(): Promise<void> {
      const inOrder = rows.toSorted((a, b) => a.at.getTime() - b.at.getTime())
      await trx
        .insertInto('audit')
        .values(
          inOrder.map((row) => ({
            id: idAt(row.at),
            at: row.at,
            event: row.event,
            result: row.result,
            actor_id: row.actorId ?? null,
            target: row.target ?? null,
            project_id: row.projectId ?? null,
            address: row.address ?? null,
            detail: JSON.stringify(row.detail ?? {}),
          })),
        )
        .execute()
    },
  }
}
export type DemoRecords = ReturnType<typeof createDemoRecords>
