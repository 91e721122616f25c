import { setTimeout as delay } from 'node:timers/promises'
import type { Backups } from '@pult/contract'
import type { Kysely } from 'kysely'
import { AppError } from '#platform/app-error.ts'
import type { DatabaseConnection } from '#platform/database/database.ts'
import type { Database } from '#platform/database/schema.ts'
import type { Jobs } from '#platform/jobs/jobs.ts'
import type { Log } from '#platform/log.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { AuditService } from '../audit/audit.service.ts'
import type { Config } from '../config.ts'
import { createBackupRunRepository, stopReason } from './backup-run.repository.ts'
import { failureLetter } from './failure-letter.ts'
import type { Progress } from './make-backup.ts'
import { createBackupReader } from './read-backups.ts'
import { discardDrill } from './restore-drill.ts'
import { type RunningWorker, runWorker } from './run-worker.ts'
import { lastTime } from './schedule.ts'
import type { BackupOrder } from './worker-messages.ts'

interface BackupServiceParts {
  db: Kysely<Database>
  config: Pick<Config, 'backup' | 'diskReserve' | 'secret' | 'filesS3' | 'filesFolder' | 'publicUrl'>
  connection: DatabaseConnection
  dataFolder: string
  jobs: Pick<Jobs, 'define' | 'every'>
  mailer: Pick<Mailer, 'enqueue'>
  audit: Pick<AuditService, 'recordDone'>
  log: Log
  /** Milliseconds without a message of its process after which a backup ends as failed. */
  stallTime?: number
}

interface Failure {
  step: 'backup' | 'drill'
  reason: string
}

type Cause = { kind: 'schedule' } | { kind: 'root'; personId: string; address: string }

/** Seconds between two checks of the schedule. */
const scheduleInterval = 60
/** Attempts for one scheduled time, and milliseconds between them. */
const attemptsMax = 3
const attemptInterval = 3_600_000
/** Longer than any step without a message: a table of the database, the foreign keys of a restore. */
const usualStallTime = 3_600_000
/** Milliseconds for a killed process to end. One that waits for a folder ends only when the folder answers. */
const killTime = 5000
/** Maximum milliseconds between two renewals of a run. */
const renewInterval = 10_000
const progressInterval = 1000
/** Milliseconds between two mails while each run fails. */
const reminderInterval = 7 * 86_400_000
/**
 * Milliseconds between the beginnings of two backups that a drill restores. An hour less than the day or week, because
 * a backup may begin late.
 */
const drillEvery = { daily: 23 * 3_600_000, weekly: 167 * 3_600_000 }

/** Makes backups on demand and by schedule, one at a time on all nodes. */
export function createBackupService(parts: BackupServiceParts) {
  const { db, config, dataFolder, jobs, mailer, audit, log, stallTime = usualStallTime } = parts
  const { backup } = config
  const runs = createBackupRunRepository(db)
  const read = createBackupReader({ db, config })
  const canRun = backup.folder !== undefined && backup.recipient !== undefined
  let current: { worker: RunningWorker; finished: Promise<void> } | undefined
  let isStopping = false
  /** The due time of the schedule that waits for the end of another backup. */
  let waiting: number | undefined

  async function needsDrill(): Promise<boolean> {
    if (backup.drill === 'off' || backup.drill === 'each') return backup.drill === 'each'
    return !(await runs.isProvenWithin(drillEvery[backup.drill]))
  }

  /** Whether a drill has failed and no backup was made since: a stored file may be damaged. */
  async function needsVerification(): Promise<boolean> {
    const { drillFailure, madeAt } = await runs.last()
    return drillFailure !== null && (madeAt === null || madeAt <= drillFailure.at)
  }

  /** Returns false if a backup runs on some node. */
  async function begin(cause: Cause): Promise<boolean> {
    const withDrill = await needsDrill()
    await endLost()
    const verifiesStored = await needsVerification()
    const id = await runs.add(cause.kind, cause.kind === 'root' ? cause.personId : null)
    if (id === undefined) return false
    if (cause.kind === 'root')
      await audit.recordDone(log, {
        event: 'backup.started',
        result: 'success',
        actorId: cause.personId,
        address: cause.address,
      })
    current = perform(id, { withDrill, verifiesStored }, cause.kind)
    return true
  }

  /** Ends and reports the runs whose server was killed. */
  async function endLost(): Promise<void> {
    for (const { archive, error, proofError } of await runs.endLost()) {
      await recordEnd({ archive: archive ?? undefined, isProven: false, isDrilled: proofError !== null })
      if (error !== null) await report('backup', error)
      if (proofError !== null) await report('drill', proofError)
    }
  }

  function perform(
    id: string,
    order: Pick<BackupOrder, 'withDrill' | 'verifiesStored'>,
    cause: Cause['kind'],
  ) {
    const { withDrill } = order
    let archive: string | undefined
    let isProven = false
    let isConcurrent = false
    let messageAt = performance.now()
    const stalled = Promise.withResolvers<void>()
    let isStalled = false
    let failure: Failure | undefined
    let latest: Progress | undefined
    let renewedAt = Number.NEGATIVE_INFINITY
    let saving = Promise.resolve()
    const save = (work: () => Promise<void>) => {
      saving = saving
        .then(work)
        .catch((err: unknown) => log.warn({ err }, 'the state of a backup could not be saved'))
    }
    const renew = (least: number) => {
      if (performance.now() - renewedAt < least) return
      renewedAt = performance.now()
      const progress = latest
      save(() => runs.renew(id, progress))
    }
    const timer = setInterval(
      () => {
        renew(renewInterval)
        if (performance.now() - messageAt < stallTime) return
        isStalled = true
        worker.kill()
        stalled.resolve()
      },
      Math.min(renewInterval, stallTime),
    ).unref()
    const { connection } = parts
    const worker = runWorker({ config: orderConfig(config), dataFolder, connection, ...order }, (message) => {
      messageAt = performance.now()
      if (message.kind === 'progress') {
        latest = message.progress
        renew(progressInterval)
      } else if (message.kind === 'made') {
        const { name, files, missing, healed, warning } = message.backup
        if (warning !== undefined) log.warn({ reason: warning }, 'no old backup was deleted')
        if (healed > 0) log.warn({ count: healed }, 'damaged files of the backups were stored again')
        archive = name
        // If this server is killed, the interrupted step is the drill and not the backup.
        if (withDrill) latest = { step: 'verify', done: 0, total: 0 }
        const progress = latest
        save(() => runs.setArchive(id, { archive: name, files, missing }, progress))
      } else if (message.kind === 'concurrent') {
        isConcurrent = true
        failure = { step: 'backup', reason: message.reason }
      } else if (message.kind === 'proven') isProven = true
      else if (message.kind === 'failed') failure = message
    })

    async function finish(): Promise<void> {
      await Promise.race([worker.ended, stalled.promise])
      if (isStalled) await Promise.race([worker.ended, delay(killTime, undefined, { ref: false })])
      clearInterval(timer)
      await saving
      // The next check of the schedule begins it again.
      if (isConcurrent && cause === 'schedule') return runs.remove(id)
      const isComplete = archive !== undefined && (!withDrill || isProven)
      const reason = isStalled ? madeNoProgress : endedEarly
      if (!isComplete) failure ??= { step: archive === undefined ? 'backup' : 'drill', reason }
      // A worker that was killed leaves its scratch database.
      await discardDrill(dataFolder).catch((err: unknown) =>
        log.warn({ err }, 'a restore drill was not discarded'),
      )
      await end({ id, archive, isProven, failure })
    }
    const finished = finish().catch((err: unknown) =>
      log.error({ err }, 'the end of a backup could not be saved'),
    )
    return { worker, finished }
  }

  async function end(run: {
    id: string
    archive: string | undefined
    isProven: boolean
    failure: Failure | undefined
  }): Promise<void> {
    const { id, archive, isProven } = run
    if (run.failure !== undefined) log.error({ ...run.failure }, 'a backup or its restore drill failed')
    // What fails during a stop fails because of it.
    const failure = isStopping && run.failure ? { ...run.failure, reason: stopReason } : run.failure
    const before = failure && (await runs.failuresOf(failure.step))
    await runs.end(id, {
      isProven,
      ...(failure?.step === 'backup' && { error: failure.reason }),
      ...(failure?.step === 'drill' && { proofError: failure.reason }),
    })
    await recordEnd({ archive, isProven, isDrilled: isProven || failure?.step === 'drill' })
    if (failure === undefined || isStopping) return
    if (before == null || needsReminder(before)) await report(failure.step, failure.reason)
  }

  async function recordEnd(run: {
    archive: string | undefined
    isProven: boolean
    isDrilled: boolean
  }): Promise<void> {
    const target = run.archive === undefined ? {} : { target: run.archive }
    const resultOf = (isWell: boolean) => (isWell ? 'success' : 'failure')
    await audit.recordDone(log, {
      event: 'backup.made',
      result: resultOf(run.archive !== undefined),
      ...target,
    })
    if (run.isDrilled)
      await audit.recordDone(log, { event: 'backup.proven', result: resultOf(run.isProven), ...target })
  }

  async function report(step: 'backup' | 'drill', reason: string): Promise<void> {
    const addresses = await runs.addressesOfRoots()
    await db.transaction().execute(async (trx) => {
      for (const to of addresses)
        await mailer.enqueue(trx, failureLetter({ to, publicUrl: config.publicUrl, step, reason }))
    })
  }

  /** Begins a due backup. A missed backup is made later, and a failed one is retried. */
  async function runSchedule(): Promise<'done'> {
    const due = lastTime(backup, await runs.now())
    if (due === undefined || isStopping || !(await runs.isInService())) return 'done'
    await endLost()
    const { attempts, isMade, isRecent } = await runs.scheduledSince(due, attemptInterval)
    const isDue = !isMade && attempts < attemptsMax && !isRecent
    if (isDue && !(await begin({ kind: 'schedule' })) && waiting !== due.getTime()) {
      waiting = due.getTime()
      log.warn('a due backup waits, because another one runs')
    }
    return 'done'
  }

  if (canRun && backup.schedule !== 'off') {
    jobs.define('backups', runSchedule, {
      retryDelay: scheduleInterval,
      retryLimit: 0,
      longest: scheduleInterval,
      pollInterval: scheduleInterval,
      parallel: 1,
    })
    jobs.every('backups', scheduleInterval)
  }

  return {
    read,
    runSchedule,

    /** Returns the last results from the database, without reading the place of the backups. */
    last: runs.last,

    async start(personId: string, address: string): Promise<Backups> {
      if (!canRun) throw new AppError('BACKUP_NOT_SET_UP')
      // The worker process would end with this one.
      if (isStopping) throw new AppError('BUSY', { retryAfter: 1 })
      if (!(await begin({ kind: 'root', personId, address }))) throw new AppError('BACKUP_RUNS')
      return read()
    },

    /** Resolves when the backup of this node has ended. */
    finished: async () => current?.finished,

    /** The process that makes the backup of this node. */
    processId: () => current?.worker.pid,

    /** Discards the scratch database of a drill that was killed. */
    recover: async () => {
      await discardDrill(dataFolder).catch((err: unknown) =>
        log.warn({ err }, 'a restore drill was not discarded'),
      )
    },

    async stop(): Promise<void> {
      isStopping = true
      current?.worker.stop()
      await current?.finished
    },
  }
}
export type BackupService = ReturnType<typeof createBackupService>

const endedEarly = 'it was interrupted: its process ended'
const madeNoProgress = 'it was ended, because it made no progress for an hour'

/** Returns whether a week since the first failure has ended after the last one. */
const needsReminder = ({ first, last, now }: { first: Date; last: Date; now: Date }): boolean => {
  const weeksAt = (time: Date) => Math.floor((time.getTime() - first.getTime()) / reminderInterval)
  return weeksAt(now) > weeksAt(last)
}

/** Returns only the settings that the worker needs. */
const orderConfig = ({
  backup,
  diskReserve,
  secret,
  filesS3,
  filesFolder,
  publicUrl,
}: BackupServiceParts['config']) => ({
  backup,
  diskReserve,
  secret,
  filesS3,
  filesFolder,
  publicUrl,
})
