import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { socketPath } from './socket-folder.ts'

/** What a postmaster tells about itself in its data folder. */
export interface PidFile {
  /** Undefined when the file is empty or cut off, as a power cut or a full disk leaves it. */
  pid: number | undefined
  socketFolder: string
  port: number
  status: string
}

const pidFilePath = (cluster: string) => join(cluster, 'postmaster.pid')

/** https://www.postgresql.org/docs/current/storage-file-layout.html; the lines are those of miscadmin.h */
export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readFile(pidFilePath(cluster), 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  const lines = text.split('\n').map((line) => line.trim())
  // A stand-alone server writes its number as a negative one.
  const pid = Math.abs(Number(lines[0]))
  return {
    pid: pid > 1 ? pid : undefined,
    port: Number(lines[3]),
    socketFolder: lines[4] ?? '',
    status: lines[7] ?? '',
  }
}

/** Only when no server is left. PostgreSQL itself refuses to start when its number now belongs to another program. */
export async function removePidFile(cluster: string): Promise<void> {
  await rm(pidFilePath(cluster), { force: true })
}

/** The same for the socket, whose folder no other database uses. */
export async function removeSocketLock(socketFolder: string): Promise<void> {
  await rm(`${socketPath(socketFolder)}.lock`, { force: true })
}
