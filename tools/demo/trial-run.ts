import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../../apps/server/src/platform/database/schema.ts'
import { createTaskRepository } from '../../apps/server/src/tasks/task.repository.ts'
import type { TaskKind } from '../../apps/server/src/tasks/task-kind.ts'

const stages = 10
const stepDuration = 1500
const leaseFor = 15_000

/**
 * Creates the task kind of the load bank, which runs for the given minutes, so that users can watch and abort a task.
 */
export function createTrialRun(minutes: number): TaskKind {
  const stepsOfStage = Math.ceil((minutes * 60_000) / stages / stepDuration)
  const steps = stages * stepsOfStage
  return {
    type: 'load-bank/trial-run',
    kind: 'info',
    deadline: 3_600_000,
    canRestart: true,
    concurrency: 1,
    async check() {},
    async run({ signal, progress, info, log }) {
      for (let step = 0; step < steps; step += 1) {
        const load = Math.round((step / steps) * 3500)
        progress(step, steps)
        info(`${load} kVA of 3500 kVA`)
        if (step % stepsOfStage === 0)
          log(`Stage ${step / stepsOfStage + 1} of ${stages}: ${load} kVA, 50.0 Hz`)
        await sleep(stepDuration, undefined, { signal })
      }
      return { info: `All ${stages} stages passed at 50.0 Hz.` }
    },
  }
}

/** The task kind of the demo. */
export const trialRun = createTrialRun(6)

/** Adds a trial run that the server starts when it is ready. */
export async function orderTrialRun(
  trx: Transaction<Database>,
  { projectId, createdBy }: { projectId: string; createdBy: string | null },
): Promise<void> {
  const { type, kind, deadline, canRestart } = trialRun
  await createTaskRepository(trx).add({
    type,
    kind,
    title: 'Probelauf Übergabestation',
    projectId,
    createdBy,
    deadline,
    leaseFor,
    canRestart,
  })
}

/** Archives ended trial runs and adds a new one, so that each start has exactly one. */
export async function renewTrialRun(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ projectId: string; createdBy: string | null }>`
      update task set archived_at = now()
      where type = ${trialRun.type} and fulfilled_at is not null and archived_at is null
      returning project_id as "projectId", created_by as "createdBy"`.execute(trx)
    const [ended] = rows
    if (ended !== undefined) await orderTrialRun(trx, ended)
  })
}
