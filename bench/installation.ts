import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { tokenLinkEndpoints } from '@pult/contract'
import { discardDrill } from '../apps/server/src/backup/restore-drill.ts'
import {
  connectionTo,
  type EmbeddedConnection,
} from '../apps/server/src/platform/database/embedded/connection.ts'
import { discardDatabase } from '../apps/server/src/platform/database/embedded/discard-database.ts'
import { readPidFile } from '../apps/server/src/platform/database/embedded/pid-file.ts'
import { callPult } from './calls.ts'
import type { OwnPostgres } from './floor/options.ts'
import {
  freePort,
  plainEnvironment,
  type Running,
  startProcess,
  stopTimeout,
  waitUntilFree,
} from './processes.ts'

export const root = join(import.meta.dirname, '..')

/** The account of the bench, and the password of all accounts. */
export const rootEmail = 'root@bench.example'
export const password = 'Leitstand im Nebel 47'

export interface RunningPult extends Running {
  url: string
  /** Kills the server. Its database continues to run, and the next start reuses it. */
  kill(): Promise<void>
}

const readyLine = /^Pult \S+ is ready/

/** Creates an installation of the product with a separate data folder, started as operators start it. */
export async function createInstallation(
  folder: string,
  node: string,
  settings: Record<string, string> = {},
) {
  const data = join(folder, 'data')
  const cluster = join(data, 'postgres')
  const temporary = join(folder, 'tmp')
  await mkdir(temporary, { recursive: true })
  // PostgreSQL does not run as root and must be able to traverse the folder.
  await chmod(folder, 0o755)
  const port = await freePort()
  const env = plainEnvironment({
    PORT: String(port),
    PULT_DATA: data,
    ROOT_EMAIL: rootEmail,
    // Node stores its compile cache here, and a first start must not find the cache of another installation.
    TMPDIR: temporary,
    ...settings,
  })
  const url = `http://localhost:${port}`

  async function postmasterPid(): Promise<number> {
    const pid = (await readPidFile(cluster))?.pid
    if (pid === undefined) throw new Error(`No database runs in ${cluster}`)
    return pid
  }

  return {
    url,
    data,
    /** A package in this folder is an extension at the next start. */
    extensionsFolder: join(data, 'extensions'),
    postmasterPid,

    async start(how: 'node' | 'npm' = 'node'): Promise<RunningPult> {
      const command =
        how === 'npm'
          ? { program: 'npm', args: ['start'], interactive: true }
          : { program: node, args: ['tools/start.mjs', '--once'] }
      const running = await startProcess({ ...command, cwd: root, env, ready: readyLine })
      const stop = async () => {
        await running.stop()
        await waitUntilFree(port)
        if ((await readPidFile(cluster)) !== undefined)
          throw new Error('The database is still running after a stop')
      }
      if (running.lines.some((line) => line.startsWith('Building'))) {
        await stop()
        throw new Error('The sources of the console changed while the bench was running')
      }
      const kill = async () => {
        process.kill(running.pid, 'SIGKILL')
        await running.stop()
        await waitUntilFree(port)
      }
      return { ...running, stop, kill, url }
    },

    async connection(): Promise<EmbeddedConnection> {
      const pidFile = await readPidFile(cluster)
      if (pidFile === undefined) throw new Error(`No database runs in ${cluster}`)
      return connectionTo(pidFile.socketFolder, pidFile.port)
    },

    /** Deletes the data. Stops databases that outlive an interrupted server, restore or restore drill. */
    async discard(): Promise<void> {
      const giveUp = performance.now() + stopTimeout
      // The process of a backup ends soon after its server.
      while (!((await discardDrill(data)) && (await discardDatabase(data)))) {
        if (performance.now() > giveUp) throw new Error(`A process still uses ${data}`)
        await wait(100)
      }
    },

    /** Returns the configuration for the floor to run the same PostgreSQL as the same user with separate files. */
    async postgresLike(ownCluster: string): Promise<OwnPostgres> {
      const command = await readFile(join(cluster, 'postmaster.opts'), 'utf8')
      const { uid, gid } = await stat(cluster)
      return { programs: dirname(command.split(' "')[0] ?? ''), cluster: ownCluster, uid, gid }
    },
  }
}
export type Installation = Awaited<ReturnType<typeof createInstallation>>

/** Registers the first root account through the printed link. Returns its token. */
export async function registerRoot(pult: RunningPult): Promise<string> {
  const token = await pult.findLine(/\/bift\/(\S+)/)
  const registered = await callPult(pult.url, tokenLinkEndpoints.redeem, {
    params: { token },
    body: { firstname: 'Rosa', lastname: 'Root', password },
  })
  if (registered.token === undefined) throw new Error('The registration of the first root returned no token')
  return registered.token
}
