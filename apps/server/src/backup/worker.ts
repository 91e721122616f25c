import { makeKey } from './encryption.ts'
import type { Progress } from './make-backup.ts'
import { openBackups } from './open-backup-store.ts'
import { runDrill } from './restore-drill.ts'
import { takeBackup } from './take-backup.ts'
import type { BackupOrder, WorkerMessage } from './worker-messages.ts'

/*
 * The process that makes a backup and its restore drill, so that the server stays responsive. Its key for the drill exists
 * in its memory only.
 */

const progressInterval = 500

const say = (message: WorkerMessage) => process.connected && process.send?.(message)
let toldAt = 0
/** A scratch database may run, which outlives its process. */
let hasScratch = false
function onProgress(progress: Progress): void {
  hasScratch = progress.step === 'restore' || progress.step === 'compare'
  if (Date.now() - toldAt < progressInterval) return
  toldAt = Date.now()
  say({ kind: 'progress', progress })
}

let step: 'backup' | 'drill' = 'backup'
const stopping = new AbortController()

async function work({ config, dataFolder, connection, withDrill }: BackupOrder): Promise<void> {
  try {
    const key = withDrill ? await makeKey() : undefined
    const target = await openBackups(config)
    const drillRecipient = key?.recipient
    const backup = await takeBackup({ config, dataFolder, connection, target, drillRecipient, onProgress })
    say({ kind: 'made', backup })
    if (key === undefined) return
    step = 'drill'
    await runDrill({
      source: { store: target.store, name: backup.name, identity: key.identity },
      dataFolder,
      secret: config.secret,
      reserve: config.diskReserve,
      signal: stopping.signal,
      onProgress,
    })
    say({ kind: 'proven' })
  } catch (error) {
    say({ kind: 'failed', step, reason: error instanceof Error ? error.message : String(error) })
  }
}

/** The server stops or was killed. A check of a large backup would take long. */
function end(): void {
  if (!hasScratch) process.exit(1)
  stopping.abort()
}

process.once('SIGTERM', end)
process.once('disconnect', end)
process.once('message', (order: BackupOrder) => {
  void work(order).finally(() => {
    process.off('disconnect', end)
    if (process.connected) process.disconnect()
  })
})
