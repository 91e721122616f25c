import { type TaskMessage, taskMessageOf, withReason } from '@pult/contract'
import { type Kysely, sql } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import type { ProductRegistry } from '../../extensions/manifests/product-registry.ts'
import type { Files } from '../../files/file-store.ts'
import type { TargetInvitations } from '../../invitations/target-invitations.ts'
import { emailKey } from '../../people/email-address.ts'
import type { PeopleService } from '../../people/people.service.ts'
import type { TaskKind, TaskWork } from '../../tasks/task-kind.ts'
import { messageOfRefusal } from '../../tasks/task-refusal.ts'
import { actingPerson } from '../acting-person.ts'
import type { ProjectService } from '../project.service.ts'
import { type UploadPayload, uploadedFile } from '../start-with-upload.ts'
import type { InvitationLine } from './invitation-lines.ts'

export const inviteBatchType = 'invite-batch'

interface InviteBatchParts {
  files: Files
  people: PeopleService
  products: ProductRegistry
  projects: Pick<ProjectService, 'checkOwned'>
  invitations: Pick<TargetInvitations, 'invite'>
}

/** The result of a line. */
type Outcome = 'invited' | 'present' | 'refused'

/** Thrown if this batch has already invited the person, before a restart or on an earlier line. */
class AlreadyInvited extends Error {}

/**
 * Invites the people of a CSV one after another. Each invitation commits in its own transaction, together with a row
 * that records it for this batch. After a crash or a retry, the batch continues without sending a second mail.
 */
export function createInviteBatchKind(parts: InviteBatchParts): TaskKind<UploadPayload> {
  const { files } = parts
  return {
    type: inviteBatchType,
    kind: 'info',
    deadline: 2 * 3_600_000,
    canRestart: true,
    concurrency: 1,
    check: (task) => inviter(parts, task),
    async run(work) {
      const { payload, signal, progress, log } = work
      const lines = await read(files, payload)
      const counts: Record<Outcome, number> = { invited: 0, present: 0, refused: 0 }
      for (const [index, line] of lines.entries()) {
        signal.throwIfAborted()
        const { outcome, reason } = await inviteOne(parts, work, line)
        counts[outcome] += 1
        log(withReason('list-line', { line: line.line, email: shown(line.email) }, reason))
        progress(index + 1, lines.length)
      }
      return { info: taskMessageOf('people-invited', counts) }
    },
  }
}

async function read(files: Files, payload: UploadPayload): Promise<InvitationLine[]> {
  const file = await uploadedFile(files, payload)
  // Lazy: its library is rarely needed.
  const { csvMost, invitationLines } = await import('./invitation-lines.ts')
  if (file.size > csvMost) throw new AppError('FILE_TOO_LARGE')
  const parts: Buffer[] = []
  for await (const part of (await files.open(file.id)) as AsyncIterable<Buffer>) parts.push(part)
  return invitationLines(Buffer.concat(parts))
}

/** Returns the person who invites, with the project whose people they may manage now. */
async function inviter(
  { people, projects }: InviteBatchParts,
  { projectId, createdBy }: Pick<TaskWork<UploadPayload>, 'projectId' | 'createdBy'>,
) {
  const caller = await actingPerson(people, createdBy)
  return { caller, project: await projects.checkOwned(caller, projectId) }
}

async function inviteOne(
  parts: InviteBatchParts,
  work: TaskWork<UploadPayload>,
  { email, productRole }: InvitationLine,
): Promise<{ outcome: Outcome; reason: TaskMessage }> {
  const { products, invitations } = parts
  const { taskId, projectId, payload } = work
  // Checked for each line, so that a user who loses the project sends no further invitations.
  const { caller, project } = await inviter(parts, work)
  if (!products.hasRole(productRole, project.products))
    return { outcome: 'refused', reason: taskMessageOf('role-not-in-project', { role: shown(productRole) }) }
  try {
    await invitations.invite({
      projectId,
      productRole,
      label: project.label,
      email,
      caller,
      address: payload.address,
      batch: async (trx) => {
        const { numAffectedRows = 0n } = await sql`
          insert into batch_invitation (task_id, email_key) values (${payload.first ?? taskId}::uuid, ${emailKey(email)})
          on conflict do nothing`.execute(trx)
        if (numAffectedRows === 0n) throw new AlreadyInvited()
      },
    })
    return { outcome: 'invited', reason: taskMessageOf('invited-as', { role: productRole }) }
  } catch (error) {
    if (error instanceof AlreadyInvited)
      return { outcome: 'invited', reason: taskMessageOf('invited-already') }
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const outcome = error.code === 'ALREADY_MEMBER' ? 'present' : 'refused'
    return { outcome, reason: messageOfRefusal(error) }
  }
}

/** Returns a cell as part of a line of text. */
const shown = (text: string) => text.replace(/\p{C}/gu, '?').slice(0, 100)

/** Deletes the records of invitations long after their batch has ended. */
export async function sweepBatchInvitations(db: Kysely<Database>): Promise<void> {
  await sql`delete from batch_invitation where created_at < now() - interval '30 days'`.execute(db)
}
