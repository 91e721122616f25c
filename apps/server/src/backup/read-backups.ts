import type { Backups } from '@pult/contract'
import type { Kysely } from 'kysely'
import { explain } from '#platform/app-error.ts'
import type { Database } from '#platform/database/schema.ts'
import { createProbe } from '#platform/places/probe.ts'
import type { Config } from '../config.ts'
import { isAhead, keptOf, retentionOf } from './backup-folder.ts'
import { findPlaceTrouble } from './backup-mark.ts'
import { createBackupRunRepository } from './backup-run.repository.ts'
import { isEncrypted } from './encryption.ts'
import { openBackups } from './open-backup-store.ts'
import { nextTime } from './schedule.ts'

export type BackupsConfig = Pick<Config, 'backup' | 'diskReserve'>

export interface FoundBackups extends Backups {
  /** The present of the database, in epoch milliseconds. */
  now: number
  /** Archives that cannot be read, each with the reason. They are not listed. */
  unreadable?: readonly string[]
  /** Number of archives that the settings do not keep. Each backup deletes them, if its place lets it. */
  surplus?: number
}

/** Milliseconds that a bucket or a network folder may take to answer. */
const placeTimeout = 5000

/** Reads the archives and the last results. The server and `pult doctor` use it. */
export function createBackupReader({ db, config }: { db: Kysely<Database>; config: BackupsConfig }) {
  const runs = createBackupRunRepository(db)
  const { folder: place = null, recipient, schedule, drill } = config.backup
  /** The first bytes of an archive never change. */
  const encrypted = new Map<string, boolean>()
  /** Opened once: calls to a folder that hangs are counted together. */
  let opened: ReturnType<typeof openBackups> | undefined

  async function readPlace(): Promise<Pick<FoundBackups, 'archives' | 'unreadable' | 'trouble'>> {
    if (place === null) return { archives: [], trouble: null }
    opened ??= openBackups(config)
    const target = await opened
    const trouble = (await findPlaceTrouble(target, db)) ?? null
    const [found, proven] = await Promise.all([target.list(), runs.provenArchives()])
    const archives: Backups['archives'] = []
    const unreadable: string[] = []
    for (const { name, createdAt, size } of found) {
      try {
        const known = encrypted.get(name) ?? (await isEncrypted(await target.store.read('archives', name)))
        encrypted.set(name, known)
        archives.push({
          name,
          createdAt: createdAt.toISOString(),
          size,
          isEncrypted: known,
          provenAt: proven.get(name)?.toISOString() ?? null,
        })
      } catch (error) {
        unreadable.push(`${name} (${explain(error)})`)
      }
    }
    return { archives, unreadable, trouble }
  }

  const askPlace = createProbe({
    call: readPlace,
    patience: placeTimeout,
    fault: () => new Error('the place of the backups did not answer'),
  })

  return async function read(): Promise<FoundBackups> {
    const [now, last, { archives, ...found }] = await Promise.all([
      runs.now(),
      runs.last(),
      askPlace().catch((error: unknown) => ({ archives: [], trouble: explain(error) })),
    ])
    const hasKey = recipient !== undefined
    const kept = keptOf(
      archives.map(({ name }) => name),
      retentionOf(config.backup),
      now.getTime(),
    )
    // An archive of the future is not the newest one.
    const isLast = ({ createdAt }: Backups['archives'][number]) => isAhead(new Date(createdAt), now.getTime())
    return {
      now: now.getTime(),
      place,
      hasKey,
      schedule,
      next: place === null || !hasKey ? null : (nextTime(config.backup, now)?.toISOString() ?? null),
      drill,
      running: last.running && {
        startedAt: last.running.startedAt.toISOString(),
        progress: last.running.progress,
      },
      failure: written(last.failure),
      missing: last.missing,
      provenAt: last.provenAt?.toISOString() ?? null,
      drillFailure: written(last.drillFailure),
      archives: archives.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b))),
      surplus: archives.length - kept.size,
      ...found,
    }
  }
}
export type BackupReader = ReturnType<typeof createBackupReader>

const written = (failure: { at: Date; reason: string } | null) =>
  failure && { at: failure.at.toISOString(), reason: failure.reason }
