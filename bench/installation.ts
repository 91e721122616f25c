import { chmod, mkdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { tokenLinkEndpoints } from '@pult/contract'
import {
  connectionTo,
  type EmbeddedConnection,
} from '../apps/server/src/platform/database/embedded/connection.ts'
import { readPidFile } from '../apps/server/src/platform/database/embedded/pid-file.ts'
import { callPult } from './calls.ts'
import type { OwnPostgres } from './floor/options.ts'
import { freePort, plainEnvironment, type Running, startProcess, waitUntilFree } from './processes.ts'

export const root = join(import.meta.dirname, '..')

/** Whom the bench signs in as, and the password of everybody in it. */
export const rootEmail = 'root@bench.example'
export const password = 'Leitstand im Nebel 47'

export interface RunningPult extends Running {
  url: string
}

const readyLine = /^Pult \S+ is ready/

/** One installation of the product with a data folder of its own, run as its users run it. */
export async function createInstallation(folder: string, node: string) {
  const data = join(folder, 'data')
  const cluster = join(data, 'postgres')
  const temporary = join(folder, 'tmp')
  await mkdir(temporary, { recursive: true })
  // PostgreSQL, which does not run as root, has to pass through.
  await chmod(folder, 0o755)
  const port = await freePort()
  const env = plainEnvironment({
    PORT: String(port),
    PULT_DATA: data,
    ROOT_EMAIL: rootEmail,
    // Node keeps compiled code there: a first start must not find that of another one.
    TMPDIR: temporary,
  })
  const url = `http://localhost:${port}`

  async function postmasterPid(): Promise<number> {
    const pid = (await readPidFile(cluster))?.pid
    if (pid === undefined) throw new Error(`No database runs in ${cluster}`)
    return pid
  }

  return {
    url,
    /** What an operator drops there is an extension at the next start. */
    extensionsFolder: join(data, 'extensions'),
    postmasterPid,

    async start(how: 'node' | 'npm' = 'node'): Promise<RunningPult> {
      const command =
        how === 'npm'
          ? { program: 'npm', args: ['start'], interactive: true }
          : { program: node, args: ['tools/start.mjs'] }
      const running = await startProcess({ ...command, cwd: root, env, ready: readyLine })
      const stop = async () => {
        await running.stop()
        await waitUntilFree(port)
        if ((await readPidFile(cluster)) !== undefined) throw new Error('A stop left the database running')
      }
      if (running.lines.some((line) => line.startsWith('Building'))) {
        await stop()
        throw new Error('The sources of the console changed while the bench was running')
      }
      return { ...running, stop, url }
    },

    async connection(): Promise<EmbeddedConnection> {
      const pidFile = await readPidFile(cluster)
      if (pidFile === undefined) throw new Error(`No database runs in ${cluster}`)
      return connectionTo(pidFile.socketFolder, pidFile.port)
    },

    /** When a server ended without stopping its database. */
    async endDatabase(): Promise<void> {
      const pid = (await readPidFile(cluster))?.pid
      if (pid !== undefined) process.kill(pid, 'SIGINT')
    },

    /** What the floor needs to run the same PostgreSQL as the same user on files of its own. */
    async postgresLike(ownCluster: string): Promise<OwnPostgres> {
      const command = await readFile(join(cluster, 'postmaster.opts'), 'utf8')
      const { uid, gid } = await stat(cluster)
      return { programs: dirname(command.split(' "')[0] ?? ''), cluster: ownCluster, uid, gid }
    },
  }
}
export type Installation = Awaited<ReturnType<typeof createInstallation>>

/** Registers the first root account through the link that the start printed; answers its token. */
export async function registerRoot(pult: RunningPult): Promise<string> {
  const token = await pult.findLine(/\/bift\/(\S+)/)
  const registered = await callPult(pult.url, tokenLinkEndpoints.redeem, {
    params: { token },
    body: { firstname: 'Rosa', lastname: 'Root', password },
  })
  if (registered.token === undefined) throw new Error('The registration of the first root gave no token')
  return registered.token
}
