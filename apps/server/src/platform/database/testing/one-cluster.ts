import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, onFileEnd } from '@pult/testkit'
import pg from 'pg'
import { vi } from 'vitest'
import { findBinaries, installedSources } from '../embedded/binaries.ts'
import { asUser, programEnvironment, runProgram } from '../embedded/program.ts'
import { chooseServerUser } from '../embedded/server-user.ts'
import { selfSigned } from './self-signed.ts'

/** For TCP connections. On the socket every role is trusted. */
const accessRules = `local all all trust
host all +trusted 127.0.0.1/32 trust
host all +known 127.0.0.1/32 scram-sha-256
host all +known ::1/128 scram-sha-256
`

/**
 * Starts a real PostgreSQL until the end of the test file, like one that an administrator runs: with passwords, and
 * TLS with a self-signed certificate for `localhost`.
 */
export async function oneCluster({ sources = installedSources } = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'pult-cluster-'))
  const user = await chooseServerUser(join(folder, 'none'))
  const own = async (path: string) => user !== undefined && (await chown(path, user.uid, user.gid))
  await own(folder)
  const finding = { stagingFolder: folder, user, existingMajor: undefined, log: () => {} }
  const { folder: programs, major, version } = await findBinaries(finding, sources)
  const port = await freePort()
  const data = join(folder, 'data')
  const locale =
    major >= 17
      ? ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
      : ['--locale=C.UTF-8']
  const made = await runProgram(
    join(programs, 'initdb'),
    ['-D', data, '--username=postgres', '--auth=trust', '--encoding=UTF8', ...locale, '--no-sync'],
    { user },
  )
  if (!made.succeeded) throw new Error(made.stderr)
  const { key, certificate } = selfSigned('localhost')
  for (const [name, content] of Object.entries({
    'server.key': key,
    'server.crt': certificate,
    'pg_hba.conf': accessRules,
  })) {
    await writeFile(join(data, name), content, { mode: 0o600 })
    await own(join(data, name))
  }
  const settings = [
    `port=${port}`,
    `unix_socket_directories=${folder}`,
    'fsync=off',
    'ssl=on',
    'max_connections=50',
  ]
  const child = spawn(
    join(programs, 'postgres'),
    ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    { ...asUser(user), cwd: '/', env: programEnvironment(), stdio: 'ignore' },
  )
  onFileEnd(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGQUIT')
      await once(child, 'exit')
    }
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  })

  /** Runs statements one by one as the superuser. */
  async function ask(statements: string[], database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ host: folder, port, user: 'postgres', database })
    client.on('error', () => {})
    try {
      await client.connect()
      let rows: Record<string, unknown>[] = []
      for (const statement of statements) ({ rows } = await client.query<Record<string, unknown>>(statement))
      return rows
    } finally {
      await client.end().catch(() => {})
    }
  }
  const answers = () => ask(['select']).then(Boolean, () => false)
  await vi.waitUntil(answers, { timeout: 30_000, interval: 50 })
  await ask(['create role known', 'create role trusted'])
  return { folder, user, port, certificate, major, version, ask }
}
