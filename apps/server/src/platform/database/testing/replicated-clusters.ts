import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFile, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@pult/testkit'
import pg from 'pg'
import { onTestFinished, vi } from 'vitest'
import { findBinaries, installedSources, type Sources } from '../embedded/binaries.ts'
import { asUser, programEnvironment, runProgram } from '../embedded/program.ts'
import { chooseServerUser } from '../embedded/server-user.ts'

interface Options {
  isSynchronous?: boolean
  sources?: Sources
  onEnd?: (end: () => Promise<void>) => void
}

const soon = { timeout: 30_000, interval: 50 }

/**
 * Starts two real PostgreSQL servers, a primary and its standby, which is synchronous by default. They stop after the
 * test, or in the given hook.
 */
export async function replicatedClusters({
  isSynchronous = true,
  onEnd = onTestFinished,
  sources = installedSources,
}: Options = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pult-replicated-'))
  const user = await chooseServerUser(join(folder, 'none'))
  if (user !== undefined) await chown(folder, user.uid, user.gid)
  const finding = { stagingFolder: folder, user, existingMajor: undefined, log: () => {} }
  const binaries = await findBinaries(finding, sources)
  const [primaryPort, standbyPort] = [await freePort(), await freePort()]
  const [primaryFolder, standbyFolder] = [join(folder, 'primary'), join(folder, 'standby')]

  const made = await runProgram(
    join(binaries.folder, 'initdb'),
    ['-D', primaryFolder, '--username=pult', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'],
    { user },
  )
  if (!made.succeeded) throw new Error(made.stderr)
  await appendFile(join(primaryFolder, 'postgresql.conf'), `unix_socket_directories = ''\n`)
  // Before its first start, so both are the same system.
  execFileSync('cp', ['-a', primaryFolder, standbyFolder])
  async function markAsStandby(cluster: string): Promise<void> {
    const signal = join(cluster, 'standby.signal')
    await writeFile(signal, '')
    if (user !== undefined) await chown(signal, user.uid, user.gid)
  }
  await markAsStandby(standbyFolder)

  const processes: ChildProcess[] = []
  function start(cluster: string, port: number, ...settings: string[]): ChildProcess {
    const options = ['-D', cluster, '-c', `port=${port}`, ...settings.flatMap((setting) => ['-c', setting])]
    const child = spawn(join(binaries.folder, 'postgres'), options, {
      ...asUser(user),
      cwd: '/',
      env: programEnvironment(),
      stdio: 'ignore',
    })
    processes.push(child)
    return child
  }
  let primary = start(primaryFolder, primaryPort, `synchronous_standby_names=${isSynchronous ? '*' : ''}`)
  const standby = start(
    standbyFolder,
    standbyPort,
    `primary_conninfo=host=127.0.0.1 port=${primaryPort} user=pult application_name=standby`,
  )
  onEnd(async () => {
    for (const child of processes) child.kill('SIGQUIT')
    await Promise.all(processes.map(ended))
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })

  async function ask(port: number, statement: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'pult', database: 'postgres' })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Record<string, unknown>>(statement)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  const state = isSynchronous ? 'sync' : 'async'
  const isReplicating = () =>
    ask(primaryPort, `select from pg_stat_replication where sync_state = '${state}'`).then(
      (rows) => rows.length === 1,
      () => false,
    )
  await vi.waitUntil(isReplicating, soon)
  await ask(primaryPort, 'create database pult')
  const hasDatabase = () =>
    ask(standbyPort, `select from pg_database where datname = 'pult'`).then((rows) => rows.length === 1)
  await vi.waitUntil(hasDatabase, soon)

  return {
    url: `postgres://pult@127.0.0.1:${primaryPort},127.0.0.1:${standbyPort}/pult?target_session_attrs=read-write`,
    primaryUrl: `postgres://pult@127.0.0.1:${primaryPort}/pult`,
    standbyUrl: `postgres://pult@127.0.0.1:${standbyPort}/pult`,
    askPrimary: (statement: string) => ask(primaryPort, statement),
    askStandby: (statement: string) => ask(standbyPort, statement),
    /** Lets the primary encrypt connections that request it, with this certificate. */
    async serveTls({ key, certificate }: { key: string; certificate: string }): Promise<void> {
      for (const [name, content] of Object.entries({ 'server.key': key, 'server.crt': certificate })) {
        await writeFile(join(primaryFolder, name), content, { mode: 0o600 })
        if (user !== undefined) await chown(join(primaryFolder, name), user.uid, user.gid)
      }
      await ask(primaryPort, 'alter system set ssl = on')
      await ask(primaryPort, 'select pg_reload_conf()')
    },
    async killPrimary(): Promise<void> {
      primary.kill('SIGKILL')
      await ended(primary)
    },
    async stopStandby(): Promise<void> {
      standby.kill('SIGINT')
      await ended(standby)
    },
    /** Starts the primary again as a standby without a primary to follow. */
    async demotePrimary(): Promise<void> {
      primary.kill('SIGINT')
      await ended(primary)
      await markAsStandby(primaryFolder)
      primary = start(primaryFolder, primaryPort)
      await vi.waitUntil(() => ask(primaryPort, 'select').then(Boolean, () => false), soon)
    },
    promote: () => ask(standbyPort, 'select pg_promote()'),
  }
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((done) => {
        child.once('exit', () => done())
      })
