import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { OwnPostgres } from './options.ts'

const port = 5432
const patience = 20_000

/** Starts PostgreSQL in the simplest way: `initdb` if needed, `postgres`, then polling until it responds. */
export async function startPostgres({ programs, cluster, uid, gid }: OwnPostgres) {
  const run = (name: string, args: string[]): ChildProcess =>
    spawn(join(programs, name), ['-D', cluster, ...args], { uid, gid, cwd: '/', stdio: 'ignore' })

  await mkdir(cluster, { recursive: true, mode: 0o700 })
  if ((await readdir(cluster)).length === 0) {
    await chown(cluster, uid, gid)
    const initdb = run('initdb', ['--username=postgres', '--auth=trust', '--no-instructions'])
    await once(initdb, 'exit')
    if (initdb.exitCode !== 0) throw new Error(`initdb ended with ${initdb.exitCode}`)
  }
  const postmaster = run('postgres', ['-c', 'listen_addresses=', '-k', cluster, '-p', String(port)])
  const connection = { host: cluster, port, user: 'postgres', database: 'postgres' }

  const giveUp = performance.now() + patience
  while (!(await accepts(connection))) {
    if (postmaster.exitCode !== null || performance.now() > giveUp)
      throw new Error('PostgreSQL did not start')
    await wait(10)
  }
  return {
    connection,
    async stop() {
      postmaster.kill('SIGINT')
      await once(postmaster, 'exit')
    },
  }
}

async function accepts(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}
