import type { ReplyOf, setupEndpoints } from '@pult/contract'
import { AppError } from '#platform/app-error.ts'
import type { ArchiveHeader } from '../backup/archive-format.ts'
import { archiveOf, type BackupSource, pathOf } from '../backup/check-backup.ts'
import { identityIn, WrongKey } from '../backup/encryption.ts'
import { openBackups } from '../backup/open-backup-store.ts'
import type { BackupReader } from '../backup/read-backups.ts'
import { secretFor } from '../backup/restore-backup.ts'
import { createSigner, ForeignBackup, signerIn } from '../backup/signer.ts'
import type { Config } from '../config.ts'

/** The restore that the process runs after it has stopped the server. */
export interface RestoreOrder {
  /** The path or address of the archive. */
  archive: string
  /** The private key: lines of the emergency sheet. Empty for the settings of this machine. */
  key: string
}

export interface RestoreFailure {
  at: string
  reason: string
}

interface SetupRestoreParts {
  config: Pick<Config, 'backup' | 'diskReserve' | 'secret'>
  dataFolder: string
  readBackups: BackupReader
  /** Throws LINK_NOT_VALID unless the token is that of the set-up link. */
  requireFirstRootLink: (token: string, address: string) => Promise<void>
  /** Stops the server, restores, and starts it again. Undefined if the process cannot. */
  restore: ((order: RestoreOrder) => void) | undefined
  /** Why an earlier restore of this process failed. */
  restoreFailure: RestoreFailure | null
}

interface RestoreRequest {
  token: string
  archive: string
  key: string
}

/** Restores a backup into an installation without a root, for the holder of the set-up link. */
export function createSetupRestore(parts: SetupRestoreParts) {
  const { config, dataFolder, readBackups, requireFirstRootLink, restore, restoreFailure } = parts

  /** Throws if the header shows that the key, the secret or the version does not fit. */
  async function refuseImpossible(source: BackupSource): Promise<void> {
    const header = await headerOf(source)
    await secretFor(header, { secret: config.secret, dataFolder }).catch((error: unknown) => {
      throw notRestorable(error)
    })
  }

  /** The line of the emergency sheet, or the one of PULT_SECRET. */
  function signerOf(key: string): string {
    const signer =
      signerIn(key) ?? (config.secret === undefined ? undefined : createSigner(config.secret).fingerprint)
    if (signer !== undefined) return signer
    throw new AppError('BACKUP_KEY_WRONG', {
      message: {
        de: 'Paste both lines of the emergency sheet: AGE-SECRET-KEY-… and PULT-SIGNER-…',
        'de-DE': 'Fügen Sie beide Zeilen des Notfallblatts ein: AGE-SECRET-KEY-… und PULT-SIGNER-…',
      },
    })
  }

  return {
    failedAt: restoreFailure?.at ?? null,

    async list(token: string, address: string): Promise<ReplyOf<typeof setupEndpoints.backups>> {
      await requireFirstRootLink(token, address)
      const { place, archives, trouble } = await readBackups()
      if (trouble !== null) throw new AppError('BACKUP_NOT_RESTORABLE', { message: trouble })
      return { place, archives, restoreFailure }
    },

    async begin({ token, archive, key }: RestoreRequest, address: string): Promise<void> {
      await requireFirstRootLink(token, address)
      const target = await openBackups(config).catch((error: unknown) => {
        throw notRestorable(error)
      })
      const found = (await target.list()).find(({ name }) => name === archive)
      if (found === undefined) throw new AppError('BACKUP_NOT_RESTORABLE')
      const keys = { identity: identityIn(key), signer: signerOf(key) }
      await refuseImpossible({ store: target.store, name: archive, ...keys })
      if (restore === undefined) throw new AppError('BACKUP_NOT_RESTORABLE')
      restore({ archive: found.path, key: [keys.identity, keys.signer].join('\n') })
    },
  }
}
export type SetupRestore = ReturnType<typeof createSetupRestore>

async function headerOf(source: BackupSource): Promise<ArchiveHeader> {
  try {
    for await (const event of archiveOf(source)) if (event.kind === 'header') return event.header
  } catch (error) {
    if (error instanceof WrongKey) throw new AppError('BACKUP_KEY_WRONG')
    if (error instanceof ForeignBackup) throw notRestorable(error)
    const reason = error instanceof Error ? error.message : String(error)
    throw notRestorable(new Error(`${pathOf(source)} is damaged: ${reason}`))
  }
  throw notRestorable(new Error(`${pathOf(source)} is damaged`))
}

const notRestorable = (error: unknown) =>
  new AppError('BACKUP_NOT_RESTORABLE', { message: error instanceof Error ? error.message : String(error) })
