import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { apiBase, type Backups, backupEndpoints, loginEndpoints, projectEndpoints } from '@pult/contract'
import { sql } from 'kysely'
import { makeKey } from '../../apps/server/src/backup/encryption.ts'
import { createSigner } from '../../apps/server/src/backup/signer.ts'
import type { OpenDatabase } from '../../apps/server/src/platform/database/database.ts'
import { createDiskFiles } from '../../apps/server/src/platform/files/disk-files.ts'
import type { BenchOptions } from '../arguments.ts'
import { callPult, createClient } from '../calls.ts'
import { withDatabase } from '../crowd.ts'
import { password, registerRoot, root, rootEmail } from '../installation.ts'
import { percentile } from '../measure.ts'
import { plainEnvironment, runProcess } from '../processes.ts'
import { withChildren } from '../processor-time.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

interface Sizes {
  /** Rows of the audit log. */
  entries: number
  /** Files of 16 MiB. */
  files: number
}

const fileBytes = 16 * 1024 ** 2
const tenMinutes = { kind: 'at most', value: 600 } as const
/** Sequential calls of the reader. */
const callsPerSecond = 20

/**
 * Measures an encrypted backup and its restore drill, started by root's button, with a concurrent reader of the list of
 * projects, then a second backup after 1 % more entries, and the restore on an empty machine.
 */
export async function* measureBackup(bench: Workbench, { isQuick }: BenchOptions): AsyncGenerator<Row> {
  const sizes: Sizes = isQuick ? { entries: 100_000, files: 32 } : { entries: 1_000_000, files: 320 }
  const folder = join(bench.folder, 'backups')
  await mkdir(folder)
  const key = await makeKey()
  const secret = randomBytes(32).toString('base64')
  const { fingerprint } = createSigner(secret)
  const installation = await bench.newInstallation({
    PULT_SECRET: secret,
    BACKUP_FOLDER: folder,
    BACKUP_RECIPIENT: `${key.recipient}.${fingerprint}`,
    BACKUP_SCHEDULE: 'off',
  })
  const pult = await installation.start()
  const token = await registerRoot(pult)
  await withDatabase(await installation.connection(), (db) => fill(db, installation.data, sizes))

  const reader = startReader(pult.url, token)
  await wait(isQuick ? 3000 : 10_000)
  const alone = reader.taken.splice(0)
  const alone99 = percentile(alone, 0.99)
  const besideReader = (name: string, taken: readonly number[]): Row => ({
    name: `a reader beside ${name}, p99`,
    unit: 'ms',
    ours: [percentile(taken, 0.99)],
    bar: { kind: 'at most', value: alone99 * 1.5 },
    note: `alone ${alone99.toFixed(1)} ms; median ${percentile(taken, 0.5).toFixed(1)} ms, alone ${percentile(alone, 0.5).toFixed(1)} ms`,
  })
  const text = (count: number) => count.toLocaleString('en-US')
  const before = await residentMegabytes(pult.pid)
  const peak = { server: 0, worker: 0 }

  const begin = performance.now()
  await callPult(pult.url, backupEndpoints.start, { token })
  let archive: string | undefined
  let madeAfter = 0
  let state: Backups
  do {
    await wait(200)
    state = await callPult(pult.url, backupEndpoints.read, { token })
    peak.server = Math.max(peak.server, await residentMegabytes(pult.pid))
    for (const pid of (await withChildren(pult.pid)).filter((one) => one !== pult.pid))
      if (await isWorker(pid)) peak.worker = Math.max(peak.worker, await residentMegabytes(pid))
    if (archive === undefined && state.archives[0] !== undefined) {
      archive = state.archives[0].name
      madeAfter = performance.now() - begin
      yield {
        name: 'encrypted backup',
        unit: 's',
        ours: [madeAfter / 1000],
        bar: tenMinutes,
        note: `${text(sizes.entries)} audit entries, ${text((sizes.files * fileBytes) / 1024 ** 2)} MiB of files`,
      }
      yield besideReader('the backup', reader.taken.splice(0))
    }
  } while (state.running !== null)
  const provenAfter = performance.now() - begin - madeAfter
  const besideDrill = await reader.stop()
  const reason = state.failure?.reason ?? state.drillFailure?.reason
  if (reason !== undefined || archive === undefined) throw new Error(reason ?? 'the backup left no archive')
  yield { name: 'its restore drill', unit: 's', ours: [provenAfter / 1000] }
  yield besideReader('the drill', besideDrill)
  yield {
    name: 'growth of the server’s memory during the backup, RSS',
    unit: 'MB',
    ours: [peak.server - before],
    bar: { kind: 'at most', value: 126 },
    note: `the process of the backup needs ${peak.worker.toFixed(0)} MB`,
  }

  const former = await sizesIn(folder)
  const more = sizes.entries / 100
  await withDatabase(await installation.connection(), async (db) => {
    await addEntries(db, { from: sizes.entries + 1, to: sizes.entries + more })
    await refreshSignIn(db)
  })
  const secondBegin = performance.now()
  await callPult(pult.url, backupEndpoints.start, { token })
  do {
    await wait(200)
    state = await callPult(pult.url, backupEndpoints.read, { token })
    if (state.failure !== null) throw new Error(state.failure.reason)
  } while (state.archives[0] === undefined || state.archives[0].name === archive)
  const [second] = state.archives
  const secondAfter = performance.now() - secondBegin
  const stored = await sizesIn(folder)
  // Its drill ends with the server.
  await pult.stop()
  const megabytes = (bytes: readonly number[]) => bytes.reduce((sum, size) => sum + size, 0) / 1e6
  const isRows = (name: string) => /\.(pult|rows)\b/.test(name)
  const firstRows = megabytes([...former].filter(([name]) => isRows(name)).map(([, size]) => size))
  yield {
    name: 'second backup after 1 % more entries',
    unit: 's',
    ours: [secondAfter / 1000],
    bar: { kind: 'at most', value: madeAfter / 1000 },
    note: `${text(more)} audit entries since the first, and the same files`,
  }
  yield {
    name: 'bytes that the second backup stores',
    unit: 'MB',
    ours: [megabytes([...stored].filter(([name]) => !former.has(name)).map(([, size]) => size))],
    bar: { kind: 'at most', value: firstRows / 4 },
    note: `the first stored ${firstRows.toFixed(1)} MB without the files`,
  }

  const restored = await restore(bench, join(folder, 'archives', second.name), [key.identity, fingerprint])
  yield {
    name: 'restore on an empty machine, until root has signed in',
    unit: 's',
    ours: [restored.signedInAfter / 1000],
    bar: tenMinutes,
    note: `the command took ${(restored.after / 1000).toFixed(0)} s`,
  }
}

const addEntries = (db: OpenDatabase['db'], { from, to }: { from: number; to: number }) =>
  sql`
    insert into audit (id, event, result, target, address, detail)
    select uuidv7(), 'login.password', 'success', 'bench-' || number, '127.0.0.1',
      jsonb_build_object('number', number, 'agent', md5(number::text))
    from generate_series(${from}::int, ${to}::int) number`.execute(db)

/** Inserting the records takes longer than a sign-in counts as recent. */
const refreshSignIn = (db: OpenDatabase['db']) => sql`update session set authenticated_at = now()`.execute(db)

/** Returns the sizes of the files in a folder, by path. */
async function sizesIn(folder: string): Promise<Map<string, number>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
  return new Map(await Promise.all(paths.map(async (path) => [path, (await stat(path)).size] as const)))
}

async function fill(db: OpenDatabase['db'], data: string, { entries, files }: Sizes): Promise<void> {
  await addEntries(db, { from: 1, to: entries })
  const driver = createDiskFiles(join(data, 'files'))
  for (let file = 0; file < files; file += 1) {
    const filename = randomBytes(16).toString('hex')
    const { size, sha256 } = await driver.write(filename, Readable.from([randomBytes(fileBytes)]), {
      contentType: 'video/mp4',
      most: fileBytes,
      tooLong: () => new Error('too long'),
    })
    await sql`
      insert into file (id, filename, readers, name, content_type, size, sha256, stored_at)
      values (uuidv7(), ${filename}, 'project', 'bench.mp4', 'video/mp4', ${size}, ${sha256}, now())`.execute(
      db,
    )
  }
  await refreshSignIn(db)
}

/** Reads the projects at a fixed rate until `stop`, which returns the milliseconds of each call. */
function startReader(url: string, token: string) {
  const client = createClient(url, 4)
  const path = apiBase + projectEndpoints.list.path
  const taken: number[] = []
  const stopping = new AbortController()
  const reading = (async () => {
    const begin = performance.now()
    for (let call = 1; !stopping.signal.aborted; call += 1) {
      taken.push((await client.call(path, { token })).milliseconds)
      await wait(Math.max(0, begin + (call * 1000) / callsPerSecond - performance.now()))
    }
  })()
  // `stop` reports this failure.
  reading.catch(() => {})
  return {
    taken,
    async stop(): Promise<number[]> {
      stopping.abort()
      await reading
      client.close()
      return taken
    },
  }
}

/**
 * Restores into an empty data folder, starts a server on it and signs root in. Returns milliseconds from the beginning.
 */
async function restore(
  bench: Workbench,
  archive: string,
  sheet: readonly string[],
): Promise<{ after: number; signedInAfter: number }> {
  const installation = await bench.newInstallation()
  const file = join(bench.folder, 'key.txt')
  await writeFile(file, sheet.join('\n'))
  const begin = performance.now()
  await runProcess({
    program: process.execPath,
    args: ['apps/server/src/cli.ts', 'restore', archive, '--identity', file],
    cwd: root,
    env: plainEnvironment({ PULT_DATA: installation.data }),
  })
  const after = performance.now() - begin
  const pult = await installation.start()
  const { token } = await callPult(pult.url, loginEndpoints.login, {
    body: { type: 'credentials', data: { username: rootEmail, password } },
  })
  if (token === undefined) throw new Error('root could not sign in after the restore')
  const signedInAfter = performance.now() - begin
  await pult.stop()
  return { after, signedInAfter }
}

const isWorker = async (pid: number) =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).includes('backup/worker')

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return (Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024) / 1e6
}
