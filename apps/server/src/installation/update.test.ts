import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestDatabase } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type DatabaseConnection, openDatabase } from '#platform/database/database.ts'
import { causeOf } from '#platform/database/database-fault.ts'
import { StartFault } from '#platform/start-fault.ts'
import { migrations } from '../../migrations/index.ts'
import manifest from '../../package.json' with { type: 'json' }
import { makeKey } from '../backup/encryption.ts'
import { openBackups } from '../backup/open-backup-store.ts'
import { createSigner } from '../backup/signer.ts'
import { readConfig } from '../config.ts'
import { ensureSecret } from './secret.ts'
import { updateInstallation } from './update.ts'

const key = await makeKey()
const secret = 'a secret of thirty-two characters'
const recipient = `${key.recipient}.${createSigner(secret).fingerprint}`
const later = {
  '9998-later': { up: () => Promise.resolve() },
}
const broken = {
  ...later,
  '9999-broken': {
    up: async (db: Parameters<(typeof migrations)[string]['up']>[0]) => {
      await sql`create table half (id int)`.execute(db)
      await sql`select 1 / 0`.execute(db)
    },
  },
}

/** An installation of this version, with a place for backups. */
async function newInstallation(settings: Record<string, string> = {}) {
  const testDatabase = await createTestDatabase()
  const { connection } = testDatabase
  const { db, close } = openDatabase({ connection, max: 2, limits: {}, onError: () => {} })
  const dataFolder = await mkdtemp(join(tmpdir(), 'pult-update-'))
  onTestFinished(async () => {
    await close()
    await testDatabase.drop()
    await rm(dataFolder, { recursive: true })
  })
  await ensureSecret({ db, secret, dataFolder })
  const backups = join(dataFolder, 'backups')
  const config = {
    ...readConfig({ BACKUP_FOLDER: backups, BACKUP_RECIPIENT: recipient, ...settings }),
    secret,
  }
  const lines: string[] = []
  const report = (line: string) => void lines.push(line)
  return {
    db,
    config,
    backups,
    lines,
    list: async () => (await openBackups(config)).list(),
    connection,
    update: (
      added: typeof migrations = {},
      { backedUp = connection, patience }: { backedUp?: DatabaseConnection; patience?: number } = {},
    ) =>
      updateInstallation({
        ...(patience !== undefined && { patience }),
        db,
        config,
        dataFolder,
        connection: backedUp,
        report,
        migrations: { ...migrations, ...added },
      }),
  }
}

test('an update backs up the installation before its first migration, and a start without one does not', async () => {
  const { update, lines, list } = await newInstallation()
  await update()
  expect(lines).toEqual([])
  const { path } = await (async () => {
    await update(later)
    const [found, ...others] = await list()
    expect(others).toEqual([])
    if (found === undefined) throw new Error('there is no backup')
    return found
  })()
  expect(lines).toEqual(['Update: backing up before 9998-later.', `Update: the backup is ${path}`])
  await update(later)
  expect(await list()).toHaveLength(1)
})

test('of two nodes that update concurrently, one makes the backup', async () => {
  const one = await newInstallation()
  await Promise.all([one.update(later), one.update(later)])
  expect(await one.list()).toHaveLength(1)
})

test.each(['BACKUP_FOLDER', 'BACKUP_RECIPIENT'])(
  'an update without %s reports in one line that it makes no backup',
  async (name) => {
    const { update, lines, backups } = await newInstallation({ [name]: '' })
    await update(broken).catch(() => {})
    expect(lines).toEqual([`Update: 2 migrations without a backup, because ${name} is not set.`])
    await expect(readdir(backups)).rejects.toThrow('ENOENT')
  },
)

test('a backup that fails ends the update before anything is changed', async () => {
  const { update, db } = await newInstallation({ BACKUP_FOLDER: join(import.meta.filename, 'backups') })
  const failure = await update(later).catch((error: unknown) => error)
  expect(failure).toMatchObject({
    message: expect.stringMatching(
      /^the backup before the update failed, and nothing was changed: .*clear BACKUP_FOLDER to update without a backup$/,
    ),
  })
  // The folder is a file, which only the operator can change.
  expect(failure).toBeInstanceOf(StartFault)
  const { rows } = await sql`select from kysely_migration where name = '9998-later'`.execute(db)
  expect(rows).toEqual([])
})

test('a backup that the database interrupts is repeated by the start', async () => {
  const { update } = await newInstallation()
  const lost = { host: '/nowhere', port: 5432, user: 'pult', database: 'pult' }
  const failure = await update(later, { backedUp: lost }).catch((error: unknown) => error)
  expect(causeOf(failure)).toMatchObject({ isFinal: false })
})

test('a migration that other nodes lock out is repeated with one backup, and after its patience by the start', async () => {
  const { update, list } = await newInstallation()
  const deadlocks = { left: 1 }
  const deadlocked = (name: string) => ({
    [name]: {
      up: async (db: Parameters<(typeof migrations)[string]['up']>[0]) => {
        deadlocks.left -= 1
        if (deadlocks.left >= 0)
          await sql`do $$ begin raise 'deadlock detected' using errcode = '40P01'; end $$`.execute(db)
      },
    },
  })
  await update(deadlocked('9997-deadlocked'))
  expect(deadlocks.left).toBe(-1)
  expect(await list()).toHaveLength(1)
  deadlocks.left = 100
  const failure = await update(
    { ...deadlocked('9997-deadlocked'), ...deadlocked('9998-deadlocked') },
    { patience: 1 },
  ).catch((error: unknown) => error)
  expect(deadlocks.left).toBe(99)
  expect(causeOf(failure)).toMatchObject({
    isFinal: false,
    cause: 'other clients lock the tables that a migration changes (deadlock detected)',
  })
})

test('a migration waits for a client that reads its table, names it, and leaves the table to others meanwhile', async () => {
  const { update, db, connection, lines } = await newInstallation({ BACKUP_FOLDER: '' })
  const dump = openDatabase({ connection, max: 1, limits: {}, name: 'pg_dump', onError: () => {} })
  onTestFinished(dump.close)
  const changed = {
    '9999-changed': {
      up: async (one: Parameters<(typeof migrations)[string]['up']>[0]) => {
        await sql`alter table note add column later int`.execute(one)
      },
    },
  }
  let updated: Promise<void> | undefined
  await dump.db.transaction().execute(async (trx) => {
    await sql`select from note`.execute(trx)
    updated = update(changed)
    await expect.poll(() => lines).toHaveLength(2)
    await sql`select from note`.execute(db)
  })
  await updated
  expect(lines).toEqual([
    'Update: 9999-changed without a backup, because BACKUP_FOLDER is not set.',
    expect.stringMatching(
      /^Update: waiting, because other clients lock tables that it changes; the oldest transaction is that of pg_dump, process \d+, since \d\d:\d\d:\d\d UTC\.$/,
    ),
  ])
  await sql`select later from note`.execute(db)
  const { rows } = await sql`show lock_timeout`.execute(db)
  expect(rows).toEqual([{ lock_timeout: '0' }])
})

test('an update waits for the backup that another node makes, and prints a line', async () => {
  const { update, db, connection, lines, list } = await newInstallation()
  const other = openDatabase({ connection, max: 1, limits: {}, onError: () => {} })
  onTestFinished(other.close)
  let updated: Promise<void> | undefined
  await other.db.connection().execute(async (one) => {
    await sql`select pg_advisory_lock(hashtextextended('pult backup', 0))`.execute(one)
    updated = update(later)
    await expect
      .poll(() => lines)
      .toContain('Update: waiting, because another backup of this installation is being made.')
    expect(await list()).toEqual([])
    await sql`select pg_advisory_unlock_all()`.execute(one)
  })
  await updated
  expect(await list()).toHaveLength(1)
  const { rows } = await sql`select from kysely_migration where name = '9998-later'`.execute(db)
  expect(rows).toHaveLength(1)
})

test('a failed migration names its step and the way back, and leaves the schema unchanged', async () => {
  const { update, db, list } = await newInstallation()
  await expect(update(broken)).rejects.toThrow(
    /^The migration 9999-broken failed, and the schema is unchanged: division by zero\. Start the former version of Pult again\. To go back, restore the backup from before the update: npm run pult -- restore ARCHIVE --replace$/,
  )
  const { rows } = await sql`
    select to_regclass('half') as half, (select count(*) from kysely_migration where name > '9') as steps`.execute(
    db,
  )
  expect(rows).toEqual([{ half: null, steps: 0 }])
  expect(await list()).toHaveLength(1)
  // The former version still starts.
  await update()
})

test('a database of a newer version is refused with the migration and the way back', async () => {
  const { update, db } = await newInstallation()
  await update(later)
  await expect(update()).rejects.toThrow(
    /^The database belongs to a newer version of Pult: the migration 9998-later is unknown here\. Start that version\. .*restore ARCHIVE --replace$/,
  )
  await db.updateTable('installation').set({ migrated_by: '9.8.7' }).execute()
  await expect(update()).rejects.toThrow(/^The database belongs to Pult 9\.8\.7: .* Start that version\./)
  await sql`alter table installation drop column migrated_by`.execute(db)
  await expect(update()).rejects.toThrow(/^The database belongs to a newer version of Pult: /)
})

test('an installation stores the version that made it and the version of its last update', async () => {
  const { update, db } = await newInstallation()
  const version = async () =>
    (await db.selectFrom('installation').select('migrated_by').executeTakeFirst())?.migrated_by
  await db.updateTable('installation').set({ migrated_by: '0.0.1' }).execute()
  await update()
  expect(await version()).toBe('0.0.1')
  await update(later)
  expect(await version()).toBe(manifest.version)
})
