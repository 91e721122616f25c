import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { explain } from '#platform/app-error.ts'
import { pult } from '#platform/program-name.ts'
import { type BackupSource, checkBackup } from '../backup/check-backup.ts'
import { identityIn } from '../backup/encryption.ts'
import { openArchive } from '../backup/open-backup-store.ts'
import { restoreBackup, secretFor } from '../backup/restore-backup.ts'
import { createSigner, signerIn } from '../backup/signer.ts'
import { readConfig, settingIn } from '../config.ts'
import { openFileStore } from '../files/open-store.ts'
import { readSecretFile, secretPath } from '../installation/secret.ts'
import type { Command } from './command.ts'
import { dataFolderOf, type Environment, withNewInstallation } from './installation.ts'

const help = `Restores a backup into an empty installation after checking every byte of the backup.

  ${pult('restore ARCHIVE [--identity FILE] [--into DATABASE_URL] [--replace] [--without-damaged-files]')}

  ARCHIVE     a file in the folder archives, or s3://bucket/prefix/archives/…. Needs the folder files next to archives
  --identity  a file with both lines of the emergency sheet's private key, or - to read them from the input. Without its
              second line, PULT_SECRET or the secret in the data folder names which installation must have made the backup
  --into      the target database; by default that of DATABASE_URL, or else the embedded one
  --replace   deletes the existing installation with all its data
  --without-damaged-files
              leaves out files that are damaged or missing in the backup, and names them. Damaged rows still end it

Stop the server first. An interruption leaves the former data or the restored data, never a mixture. Files are restored
to the folder or bucket of the settings.`

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'restores a backup',
  help,
  read(args) {
    const { values, positionals } = parseArgs({
      args,
      options: {
        identity: { type: 'string' },
        into: { type: 'string' },
        replace: { type: 'boolean' },
        'without-damaged-files': { type: 'boolean' },
      },
      allowPositionals: true,
    })
    const [archive, ...others] = positionals
    if (archive === undefined) throw new Error('the archive is missing')
    if (others.length > 0) throw new Error(`unexpected argument ${JSON.stringify(others[0])}`)

    return async ({ environment, print }) => {
      const source = await readArchive(archive, values.identity, environment)
      const acceptsDamagedFiles = values['without-damaged-files'] === true
      const checked = await checkBackup(source, { acceptsDamagedFiles })
      for (const stored of checked.damaged) print(`Damaged: ${source.store.pathOf('files', stored)}`)
      const databaseUrl = values.into ?? settingIn(environment, 'DATABASE_URL')
      const given = environment['PULT_SECRET'] || undefined
      const secret = await secretFor(checked.header, {
        secret: given,
        dataFolder: await dataFolderOf(environment),
      })
      const settings = {
        ...settingsFor(archive, environment),
        // An external database needs the secret, which the backup contains.
        ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl, PULT_SECRET: secret }),
      }
      await withNewInstallation(settings, async ({ config, dataFolder, connection, database }) => {
        await database.close()
        await restoreBackup({
          source,
          checked,
          connection,
          driver: await openFileStore(config, dataFolder),
          dataFolder,
          secret: given,
          mayReplace: values.replace === true,
        })
        print(`Restored: ${checked.header.createdAt}, ${checked.rows} rows, ${checked.files} files`)
        if (checked.missing > 0)
          print(`${checked.missing} files are not in the backup: their bytes were already lost`)
        if (checked.damaged.size > 0) print(`Damaged files left out: ${checked.damaged.size}`)
        if (databaseUrl !== undefined && given === undefined)
          print(`Set PULT_SECRET to the content of ${secretPath(dataFolder)} before the server starts`)
      })
    }
  },
}

/** The settings for an archive. One in a bucket needs the settings of its account only. */
const settingsFor = (archive: string, environment: Environment): Environment =>
  archive.startsWith('s3://') ? { ...environment, BACKUP_FOLDER: archive } : environment

/** Finds an archive in a folder, or in a bucket of the account in the settings. */
export async function readArchive(
  given: string,
  identityFile: string | undefined,
  environment: Environment,
): Promise<BackupSource> {
  const path = given.startsWith('s3://') ? given : resolve(given)
  const { backup, diskReserve } = readConfig({
    ...settingsFor(given, environment),
    // Without the database setting, which would require a secret. The archive contains the secret.
    DATABASE_URL: undefined,
  })
  const key = identityFile === undefined ? '' : await keyIn(identityFile)
  const [identity, signer] = [identityIn(key), signerIn(key) ?? (await signerOf(environment))]
  if (signer === undefined)
    throw new Error(
      '--identity needs a file with both lines of the emergency sheet: PULT-SIGNER-… is missing',
    )
  return openArchive(path, { identity, signer }, { account: backup.account, reserve: diskReserve })
}

/** Returns the fingerprint of the installation on this machine; undefined without one. */
export async function signerOf(environment: Environment): Promise<string | undefined> {
  const secret =
    environment['PULT_SECRET'] || (await readSecretFile(secretPath(await dataFolderOf(environment))))
  return secret === undefined ? undefined : createSigner(secret).fingerprint
}

const keyIn = (file: string): Promise<string> =>
  file === '-'
    ? text(process.stdin)
    : readFile(file, 'utf8').catch((cause: unknown) => {
        throw new Error(`--identity needs a file with the private key: ${explain(cause)}`, { cause })
      })
