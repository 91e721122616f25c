import { createReadStream } from 'node:fs'
import { open as openFile, readdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createOwnedFolder, giveFile } from '#platform/places/owner.ts'
import { pult } from '#platform/program-name.ts'
import { type FileToVerify, verifyArchive } from '../audit/archive/archive-format.ts'
import { listArchive } from '../audit/archive/audit-archive.ts'
import { openFileStore } from '../files/open-store.ts'
import type { Command, CommandContext, Print } from './command.ts'
import { withInstallation } from './installation.ts'

const help = `Works with the archive, to which old entries of the audit log move before they leave the database.

  ${pult('audit verify [FOLDER] [--digest DIGEST]')}
  ${pult('audit copy FOLDER')}

  verify       proves that the archive is complete and unchanged, or names each faulty file and line.
               Without a folder it reads the archive of the installation
  copy         copies the files of the archive into a folder; zcat can read them

  --digest     the digest of the newest file, from an earlier verification, the audit log or the server's log. Without it,
               verify cannot detect that the newest files of a folder are missing`

export const auditCommand: Command = {
  name: 'audit',
  summary: 'verifies or copies the archive of the audit log',
  help,
  read(args) {
    const { values, positionals } = parseArgs({
      args,
      options: { digest: { type: 'string' } },
      allowPositionals: true,
    })
    const [verb, folder, ...others] = positionals
    if (verb === undefined) throw new Error('the subcommand is missing')
    if (verb !== 'verify' && verb !== 'copy')
      throw new Error(`there is no subcommand ${JSON.stringify(verb)}`)
    if (others[0] !== undefined) throw new Error(`unexpected argument ${JSON.stringify(others[0])}`)
    if (verb === 'copy') {
      if (folder === undefined) throw new Error('the folder is missing')
      return (context) => copy(context, resolve(folder))
    }
    return async (context) => {
      if (folder !== undefined) return verify(await filesOf(resolve(folder)), values.digest, context.print)
      await withArchive(context, (files) => verify(files, values.digest, context.print))
    }
  },
}

const withArchive = (
  { environment }: CommandContext,
  work: (files: Awaited<ReturnType<typeof listArchive>>) => Promise<void>,
) =>
  withInstallation(environment, async ({ config, dataFolder, database }) =>
    work(await listArchive(database.db, await openFileStore(config, dataFolder))),
  )

async function filesOf(folder: string): Promise<FileToVerify[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.ndjson.gz')).toSorted()
  return names.map((name) => ({ name, open: async () => createReadStream(join(folder, name)) }))
}

async function verify(
  files: readonly FileToVerify[],
  digest: string | undefined,
  print: Print,
): Promise<void> {
  const found = await verifyArchive(files)
  const breaks = [...found.breaks]
  if (digest !== undefined && digest !== found.digest)
    breaks.push(
      found.digest === null
        ? `there is no file with the digest ${digest}`
        : `the newest file has the digest ${found.digest}, not ${digest}`,
    )
  for (const line of breaks) print(line)
  if (breaks.length > 0)
    throw new Error(
      breaks.length === 1 ? 'the archive has 1 break' : `the archive has ${breaks.length} breaks`,
    )
  print(`Complete: files ${found.files}, entries ${found.entries}`)
  if (found.digest !== null) print(`Digest of the newest file: ${found.digest}`)
}

async function copy(context: CommandContext, folder: string): Promise<void> {
  await withArchive(context, async (files) => {
    await createOwnedFolder(folder)
    for (const { name, open } of files) {
      const file = await openFile(join(folder, name), 'w', 0o600)
      await giveFile(file, folder)
      await pipeline(await open(), file.createWriteStream())
    }
    context.print(`Copied to ${folder}: files ${files.length}`)
  })
}
