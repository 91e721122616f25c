import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import type { Database } from '#platform/database/schema.ts'
import { createSecrets, type Secrets } from '#platform/secrets.ts'

interface SecretParts {
  db: Kysely<Database>
  /** PULT_SECRET. Without it the secret is a file in the data folder, which is there to stay with its database. */
  secret: string | undefined
  dataFolder: string
}

/**
 * The secret of this installation. The database remembers a check of it, so that a node with another one, which could
 * read nothing that is sealed, refuses to start.
 */
export async function ensureSecret({ db, secret, dataFolder }: SecretParts): Promise<Secrets> {
  const path = join(dataFolder, 'secret')
  const known = await readKeyCheck(db)
  const given = secret ?? (await readSecretFile(path))
  if (given === undefined && known !== undefined) {
    throw new Error(
      `the secret of this installation is missing. Restore ${path} from a backup, or set PULT_SECRET`,
    )
  }
  const secrets = createSecrets(given ?? (await makeSecretFile(dataFolder, path)))
  const stored = known ?? (await storeKeyCheck(db, secrets))
  if (!secrets.matches(stored)) {
    throw new Error(
      secret === undefined
        ? `${path} is not the secret that this database was set up with. Restore the original from a backup`
        : 'PULT_SECRET is not the secret that this database was set up with. Set the original one',
    )
  }
  return secrets
}

async function readKeyCheck(db: Kysely<Database>): Promise<Buffer | undefined> {
  const row = await db.selectFrom('installation').select('key_check').executeTakeFirst()
  return row?.key_check
}

/** Of several nodes that start at once on an empty database one decides; each answers what was decided. */
async function storeKeyCheck(db: Kysely<Database>, secrets: Secrets): Promise<Buffer> {
  await db
    .insertInto('installation')
    .values({ key_check: secrets.keyCheck() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const { key_check } = await db.selectFrom('installation').select('key_check').executeTakeFirstOrThrow()
  return key_check
}

async function readSecretFile(path: string): Promise<string | undefined> {
  let text: string
  try {
    text = (await readFile(path, 'utf8')).trim()
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw new Error(`${path} cannot be read (${codeOf(error)})`, { cause: error })
  }
  if (text === '') throw new Error(`${path} is empty. Restore it from a backup, or set PULT_SECRET`)
  return text
}

/** Whole or not at all, also after a power cut; of two processes at once both answer the same. */
async function makeSecretFile(dataFolder: string, path: string): Promise<string> {
  const secret = randomBytes(32).toString('base64')
  const temporary = `${path}.${randomUUID()}`
  try {
    await mkdir(dataFolder, { recursive: true })
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${secret}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await link(temporary, path)
    await syncFolder(dataFolder)
    return secret
  } catch (error) {
    const existing = await readSecretFile(path)
    if (existing !== undefined) return existing
    throw new Error(`${path} cannot be written (${codeOf(error)})`, { cause: error })
  } finally {
    await rm(temporary, { force: true })
  }
}

/** A name is lasting once its folder is written out; the database will remember the secret's check for good. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const codeOf = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
