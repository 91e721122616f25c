import { connect } from 'node:net'
import pg from 'pg'
import { StartFault } from '../../start-fault.ts'
import { DatabaseClient } from '../client.ts'
import { applicationDatabase, applicationRole } from './cluster.ts'
import { errorCode } from './data-folder.ts'
import { socketPath } from './socket-folder.ts'

/** The connection settings of `pg`. */
export interface EmbeddedConnection {
  /** The folder of the socket. */
  host: string
  port: number
  user: string
  database: string
  /** Explicit, because PGSSLMODE in the environment would otherwise request TLS, which a Unix socket lacks. */
  ssl: false
}

export const connectionTo = (socketFolder: string, port: number): EmbeddedConnection => ({
  host: socketFolder,
  port,
  user: applicationRole,
  database: applicationDatabase,
  ssl: false,
})

/** Starting, stopping, or just crashed: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const notYet = new Set(['57P01', '57P02', '57P03'])

/** `late` if the socket exists and the server is busy or hangs, `no answer` without a usable socket. */
export type Answer = 'accepts' | 'not yet' | 'late' | 'no answer'

const answerTimeout = 2_000

/** Connects and signs in like the application. */
export async function askServer(connection: EmbeddedConnection): Promise<Answer> {
  const client = new DatabaseClient({ ...connection, connectionTimeoutMillis: answerTimeout })
  // The server may disconnect between the answer and the end.
  client.on('error', () => {})
  try {
    await client.connect()
    return 'accepts'
  } catch (error) {
    const code = errorCode(error)
    if (notYet.has(code)) return 'not yet'
    if (code === '28000' || code === '3D000') {
      const reason = error instanceof Error ? error.message : code
      throw new StartFault(`the database in ${connection.host} was not created by Pult: ${reason}`, {
        cause: error,
      })
    }
    // Any other error, such as too many connections, comes from a working server.
    if (error instanceof pg.DatabaseError) return 'accepts'
    return error instanceof Error && /timeout/i.test(error.message) ? 'late' : 'no answer'
  } finally {
    await client.end().catch(() => {})
  }
}

/** Returns whether any process listens on the socket. */
export async function isListening(socketFolder: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path: socketPath(socketFolder, port), timeout: answerTimeout })
    const finish = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => finish(true))
    socket.once('timeout', () => finish(true))
    socket.once('error', () => finish(false))
  })
}
