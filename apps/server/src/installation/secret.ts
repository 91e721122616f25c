import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { createFolder } from '#platform/create-folder.ts'
import type { Database } from '#platform/database/schema.ts'
import { giveFile } from '#platform/places/owner.ts'
import { PlaceFault } from '#platform/places/place-fault.ts'
import { syncFolder } from '#platform/places/sync-folder.ts'
import { createSecrets, type Secrets } from '#platform/secrets.ts'
import { fileFault, StartFault } from '#platform/start-fault.ts'
import manifest from '../../package.json' with { type: 'json' }

interface SecretParts {
  db: Kysely<Database>
  /** PULT_SECRET. Without it, the secret is a file in the data folder, next to its database. */
  secret: string | undefined
  dataFolder: string
}

/**
 * Returns the secret of this installation. The database stores a check value, so that a node with another secret,
 * which could decrypt nothing, refuses to start.
 */
export async function ensureSecret({ db, secret, dataFolder }: SecretParts): Promise<Secrets> {
  const path = secretPath(dataFolder)
  const known = await readKeyCheck(db)
  if (secret === undefined && known !== undefined) await adoptRestoredSecret(dataFolder, known)
  const given = secret ?? (await readSecretFile(path))
  if (given === undefined && known !== undefined) {
    throw new StartFault(
      `the secret of this installation is missing. Check that the disk of ${dataFolder} is mounted, restore ${path} from a backup, or set PULT_SECRET`,
    )
  }
  const secrets = createSecrets(given ?? (await makeSecretFile(dataFolder, path)))
  const stored = known ?? (await storeKeyCheck(db, secrets))
  if (!secrets.matches(stored)) {
    throw new StartFault(
      secret === undefined
        ? `${path} is not the secret that this database was set up with. Restore the original from a backup`
        : 'PULT_SECRET is not the secret that this database was set up with. Set the original one',
    )
  }
  return secrets
}

export const secretPath = (dataFolder: string) => join(dataFolder, 'secret')
const restoredPath = (dataFolder: string) => join(dataFolder, 'secret.restored')

/** Stores the secret of a backup beside the current one until the data of the backup is committed. */
export async function keepRestoredSecret(dataFolder: string, secret: string): Promise<void> {
  await createFolder(dataFolder)
  const file = await open(restoredPath(dataFolder), 'w', 0o600)
  try {
    await giveFile(file, dataFolder)
    await file.writeFile(`${secret}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(dataFolder)
}

/** Replaces the secret if the database is the one that was restored. A restore may have been killed before this. */
export async function adoptRestoredSecret(dataFolder: string, keyCheck: Buffer): Promise<void> {
  const restored = await readSecretFile(restoredPath(dataFolder))
  if (restored === undefined || !createSecrets(restored).matches(keyCheck)) return
  await rename(restoredPath(dataFolder), secretPath(dataFolder))
  await syncFolder(dataFolder)
}

async function readKeyCheck(db: Kysely<Database>): Promise<Buffer | undefined> {
  const row = await db.selectFrom('installation').select('key_check').executeTakeFirst()
  return row?.key_check
}

/** Of several nodes that start concurrently on an empty database, one stores its check; all return the stored one. */
async function storeKeyCheck(db: Kysely<Database>, secrets: Secrets): Promise<Buffer> {
  await db
    .insertInto('installation')
    .values({ key_check: secrets.keyCheck(), migrated_by: manifest.version })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { key_check } = await db.selectFrom('installation').select('key_check').executeTakeFirstOrThrow()
  return key_check
}

export async function readSecretFile(path: string): Promise<string | undefined> {
  let text: string
  try {
    text = (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw fileFault(`${path} cannot be read (${codeOf(error)})`, error)
  }
  if (text === '') throw new StartFault(`${path} is empty. Restore it from a backup, or set PULT_SECRET`)
  return text
}

/** Creates the file atomically and durably. Concurrent processes return the same secret. */
async function makeSecretFile(dataFolder: string, path: string): Promise<string> {
  const secret = randomBytes(32).toString('base64')
  const temporary = `${path}.${randomUUID()}`
  try {
    await createFolder(dataFolder)
    const file = await open(temporary, 'wx', 0o600)
    try {
      await giveFile(file, dataFolder)
      await file.writeFile(`${secret}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(temporary, path)
    // The database stores the check permanently.
    await syncFolder(dataFolder)
    return secret
  } catch (error) {
    const existing = await readSecretFile(path)
    if (existing !== undefined) return existing
    const reason = error instanceof PlaceFault ? error.message : codeOf(error)
    throw fileFault(`${path} cannot be written (${reason})`, error)
  } finally {
    await rm(temporary, { force: true })
  }
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
