import '../thread-pool.mjs'
import '../runtime-output.mjs'
import { explain } from '#platform/app-error.ts'
import { endProcess, hasPendingCalls } from '#platform/places/pending-calls.ts'
import { openBackupFolder } from './backup-folder.ts'
import { makeKey } from './encryption.ts'
import { ConcurrentBackup, type Progress } from './make-backup.ts'
import { openBackups } from './open-backup-store.ts'
import { runDrill } from './restore-drill.ts'
import { createSigner } from './signer.ts'
import { secretOf, takeBackup } from './take-backup.ts'
import { watchedStore } from './watched-store.ts'
import type { BackupOrder, WorkerMessage } from './worker-messages.ts'

/*
 * The process that makes a backup and its restore drill, so that the server stays responsive. Its key for the drill
 * exists only in memory.
 */

/** Milliseconds between two messages of a kind that is sent often. */
const messageInterval = 500

const send = (message: WorkerMessage) => process.connected && process.send?.(message)
const sentAt = new Map<WorkerMessage['kind'], number>()
function sendAtIntervals(message: WorkerMessage): void {
  if (performance.now() - (sentAt.get(message.kind) ?? Number.NEGATIVE_INFINITY) < messageInterval) return
  sentAt.set(message.kind, performance.now())
  send(message)
}

/** Whether a scratch database may run: it would outlive this process. */
let hasScratch = false
function onProgress(progress: Progress): void {
  hasScratch = progress.step === 'restore' || progress.step === 'compare'
  sendAtIntervals({ kind: 'progress', progress })
}

let step: 'backup' | 'drill' = 'backup'
const stopping = new AbortController()

async function work({
  config,
  dataFolder,
  connection,
  withDrill,
  verifiesStored,
}: BackupOrder): Promise<void> {
  try {
    const key = withDrill ? await makeKey() : undefined
    const { store } = await openBackups(config)
    const target = openBackupFolder(watchedStore(store, () => sendAtIntervals({ kind: 'alive' })))
    const drillRecipient = key?.recipient
    const backup = await takeBackup({
      config,
      dataFolder,
      connection,
      target,
      drillRecipient,
      verifiesStored,
      onProgress,
    })
    send({ kind: 'made', backup })
    if (key === undefined) return
    step = 'drill'
    const signer = createSigner(await secretOf(config, dataFolder)).fingerprint
    await runDrill({
      source: { store: target.store, name: backup.name, identity: key.identity, signer },
      dataFolder,
      secret: config.secret,
      reserve: config.diskReserve,
      signal: stopping.signal,
      onProgress,
    })
    send({ kind: 'proven' })
  } catch (error) {
    send(
      error instanceof ConcurrentBackup
        ? { kind: 'concurrent', reason: error.message }
        : { kind: 'failed', step, reason: explain(error) },
    )
  }
}

/** Ends the work when the server stops or was killed, because checking a large backup takes long. */
function end(): void {
  if (!hasScratch) endProcess(1)
  stopping.abort()
}

process.once('SIGTERM', end)
process.once('disconnect', end)
process.once('message', (order: BackupOrder) => {
  void work(order).finally(() => {
    process.off('disconnect', end)
    // A folder that hangs would keep this process.
    process.once('disconnect', () => hasPendingCalls() && endProcess(1))
    if (process.connected) process.disconnect()
  })
})
