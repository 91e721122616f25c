import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { socketPath } from './socket-folder.ts'

/** The pid file of a postmaster in its data folder. */
export interface PidFile {
  /** Undefined if the file is empty or truncated, for example after a power cut or on a full disk. */
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
  // A single-user server writes its process id as a negative number.
  const pid = Math.abs(Number(lines[0]))
  return {
    pid: pid > 1 ? pid : undefined,
    port: Number(lines[3]),
    socketFolder: lines[4] ?? '',
    status: lines[7] ?? '',
  }
}

/**
 * Removes the pid file when no server is left. PostgreSQL itself refuses to start if another program now has that
 * process id.
 */
export async function removePidFile(cluster: string): Promise<void> {
  await rm(pidFilePath(cluster), { force: true })
}

/** Removes the lock of the socket, whose folder is not shared with other databases. */
export async function removeSocketLock(socketFolder: string): Promise<void> {
  await rm(`${socketPath(socketFolder)}.lock`, { force: true })
}
