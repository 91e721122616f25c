import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { explain } from '#platform/app-error.ts'
import { errorCode } from '#platform/database/embedded/data-folder.ts'
import { pult } from '#platform/program-name.ts'
import { type BackupFolder, isAhead } from '../backup/backup-folder.ts'
import { MissingInBackup } from '../backup/backup-store.ts'
import { checkBackup } from '../backup/check-backup.ts'
import { emergencySheet } from '../backup/emergency-sheet.ts'
import { makeKey } from '../backup/encryption.ts'
import { openBackups } from '../backup/open-backup-store.ts'
import { ForeignBackup } from '../backup/signer.ts'
import { takeBackup } from '../backup/take-backup.ts'
import { readConfig } from '../config.ts'
import type { Command, CommandContext, Print } from './command.ts'
import { type Environment, withInstallation } from './installation.ts'
import { readArchive, signerOf } from './restore.ts'

const help = `Backs up the database, the files and the installed extensions while users work.

  ${pult('backup [--to FOLDER] [--unencrypted] [--new-place] [--verify]')}
  ${pult('backup key [--sheet FILE]')}
  ${pult('backup list [--to FOLDER]')}
  ${pult('backup check ARCHIVE [--identity FILE]')}

  key          makes a key pair. Only the emergency sheet, a page to print, contains the private key
  list         lists the archives, newest first, and names those that this installation has not signed
  check        reads every byte of an archive, its rows and its files, and reports the first damage

  --to           a folder or s3://bucket/prefix, by default BACKUP_FOLDER. Existing files are not copied again
  --unencrypted  backs up without BACKUP_RECIPIENT. The archive then omits the secret of the installation
  --new-place    accepts a place without the mark of the earlier backups, such as a new disk. Otherwise the disk or
                 share is probably not mounted
  --verify       reads the stored files and pieces that this backup uses again, and stores damaged ones again
  --identity     a file with both lines of the private key

Once a backup is complete, the newest archive of each of the last BACKUP_KEEP days with a backup stays, with hourly
backups also that of each of the last 24 hours, and older archives are deleted. BACKUP_KEEP_DAYS limits their age in days.`

interface Options {
  to?: string | undefined
  sheet?: string | undefined
  identity?: string | undefined
  unencrypted?: boolean | undefined
  'new-place'?: boolean | undefined
  verify?: boolean | undefined
}

type Perform = (context: CommandContext) => Promise<void>

export const backupCommand: Command = {
  name: 'backup',
  summary: 'backs up the database, the files and the extensions',
  help,
  read(args) {
    const { values, positionals } = parseArgs({
      args,
      options: {
        to: { type: 'string' },
        sheet: { type: 'string' },
        identity: { type: 'string' },
        unencrypted: { type: 'boolean' },
        'new-place': { type: 'boolean' },
        verify: { type: 'boolean' },
      },
      allowPositionals: true,
    })
    const [verb = 'make', operand, ...others] = positionals
    const verbs: Record<string, Perform> = {
      make: (context) => make(context, values),
      key: (context) => makeSheet(context, values),
      list: async ({ environment, print }) => {
        const target = await openBackups(readConfig(settingsOf(environment, values)))
        for (const line of await listLines(target, await signerOf(environment))) print(line)
      },
      check: ({ environment, print }) => check(operand ?? '', { environment }, values, print),
    }
    const perform = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined
    if (perform === undefined) throw new Error(`there is no subcommand ${JSON.stringify(verb)}`)
    const surplus = verb === 'check' ? others[0] : operand
    if (surplus !== undefined) throw new Error(`unexpected argument ${JSON.stringify(surplus)}`)
    if (verb === 'check' && operand === undefined) throw new Error('the archive is missing')
    return perform
  },
}

type Place = Pick<CommandContext, 'environment'>

/** The settings of a place that the command names. A bucket needs the settings of its account only. */
const settingsOf = (environment: Environment, { to }: Options): Environment =>
  to === undefined ? environment : { ...environment, BACKUP_FOLDER: to }

async function make({ environment, print }: CommandContext, options: Options): Promise<void> {
  const isUnencrypted = options.unencrypted === true
  const isNewPlace = options['new-place'] === true
  const settings = settingsOf(environment, options)
  const given = readConfig(settings)
  const target = await openBackups(given)
  if (!isUnencrypted && given.backup.recipient === undefined)
    throw new Error('BACKUP_RECIPIENT is not set: make a key with "backup key", or use --unencrypted')
  await withInstallation(settings, async ({ config, dataFolder, connection }) => {
    const made = await takeBackup({
      config,
      dataFolder,
      connection,
      target,
      isUnencrypted,
      isNewPlace,
      verifiesStored: options.verify,
    })
    print(made.path)
    print(`${made.rows} rows, ${made.files} files, ${made.added} of them new, ${made.size} bytes`)
    if (isUnencrypted)
      print(
        'The backup is NOT encrypted, and the secret of the installation is not in it. Save the secret yourself.',
      )
    if (made.healed > 0) print(`Damaged files stored again: ${made.healed}`)
    if (made.warning !== undefined) print(`Warning: ${made.warning}`)
    if (made.deleted > 0) print(`${made.deleted} older archives were deleted`)
    if (made.missing > 0)
      throw new Error(
        `the backup is complete except for ${made.missing} files whose bytes are gone or damaged: ${made.missingFirst.join(', ')}`,
      )
  })
}

async function makeSheet({ environment, print }: CommandContext, { sheet }: Options): Promise<void> {
  const { publicUrl, backup } = readConfig(environment)
  const signer = await signerOf(environment)
  if (signer === undefined)
    throw new Error(
      'the installation has no secret yet, by which its backups are recognised: start the server once, or set PULT_SECRET',
    )
  const { identity, recipient } = await makeKey()
  const path = resolve(sheet ?? 'pult-emergency-sheet.html')
  const folder = backup.folder ?? 'the folder given with --to'
  const page = emergencySheet({ identity, recipient, signer, publicUrl, folder, createdAt: new Date() })
  // An existing sheet is the only copy of its key.
  await writeFile(path, page, { flag: 'wx', mode: 0o600 }).catch((cause: unknown) => {
    const reason = errorCode(cause) === 'EEXIST' ? 'it already exists' : explain(cause)
    throw new Error(`${path} cannot be written: ${reason}. Name another file with --sheet`, { cause })
  })
  print(`Print ${path}, keep the paper in a safe place, and delete the file.`)
  print(`BACKUP_RECIPIENT=${recipient}.${signer}`)
}

async function listLines(target: BackupFolder, signer: string | undefined): Promise<string[]> {
  const found = await target.list()
  if (found.length === 0)
    return [
      `There is no backup in ${target.store.location}. If backups were made there, check that it is mounted`,
    ]
  const lines: string[] = []
  for (const { name, path, createdAt, size } of found) {
    const notes = [
      ...(isAhead(createdAt, Date.now()) ? ['IN THE FUTURE: THE CLOCK WAS WRONG'] : []),
      ...(signer === undefined ? [] : await faultsOf(target, name, signer)),
    ]
    lines.push([createdAt.toISOString(), size, path, ...notes].join('  '))
  }
  return lines
}

/** Returns why an archive is not a usable backup of the installation. It must not hide the others. */
async function faultsOf(target: BackupFolder, name: string, signer: string): Promise<string[]> {
  try {
    await target.digestOf(name, signer)
    return []
  } catch (error) {
    const isForeign = error instanceof ForeignBackup || error instanceof MissingInBackup
    return [isForeign ? 'NOT SIGNED BY THIS INSTALLATION' : `CANNOT BE READ: ${explain(error)}`]
  }
}

async function check(
  archive: string,
  { environment }: Place,
  { identity }: Options,
  print: Print,
): Promise<void> {
  const { header, files, rows } = await checkBackup(await readArchive(archive, identity, environment))
  print(`Complete: Pult ${header.version}, ${header.createdAt}, ${rows} rows, ${files} files`)
}
