import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { runProgram } from './program.ts'

/** Whom PostgreSQL runs as when this process is root, which PostgreSQL refuses to be. */
export interface ServerUser {
  name: string
  uid: number
  gid: number
}

const ownUser = 'pult'
const unprivilegedUser: ServerUser = { name: 'nobody', uid: 65_534, gid: 65_534 }

export const isRoot = () => process.getuid?.() === 0

/**
 * The owner of the database files when there are some, else a system user of its own, made when it is missing, else
 * the system's unprivileged one. Undefined for everybody but root: PostgreSQL then runs as the caller.
 */
export async function chooseServerUser(clusterFolder: string): Promise<ServerUser | undefined> {
  if (!isRoot()) return undefined
  return (
    (await ownerOf(clusterFolder)) ??
    (await ownSystemUser()) ??
    (await findUser('nobody')) ??
    unprivilegedUser
  )
}

async function ownerOf(folder: string): Promise<ServerUser | undefined> {
  const owner = await stat(folder).catch(() => undefined)
  if (owner === undefined || owner.uid === 0) return undefined
  const { stdout } = await runProgram('id', ['-un', String(owner.uid)])
  return { name: stdout.trim() || `uid ${owner.uid}`, uid: owner.uid, gid: owner.gid }
}

/** Shadow's tool, then BusyBox's. */
const makeUserCommands: [string, string[]][] = [
  [
    'useradd',
    [
      '--system',
      '--user-group',
      '--no-create-home',
      '--home-dir',
      '/nonexistent',
      '--shell',
      '/bin/false',
      ownUser,
    ],
  ],
  ['adduser', ['-S', '-D', '-H', '-h', '/nonexistent', '-s', '/bin/false', ownUser]],
]

async function ownSystemUser(): Promise<ServerUser | undefined> {
  const existing = await findUser(ownUser)
  if (existing !== undefined) return existing
  // They fail while another process makes a user; it may just be this one.
  for (let attempt = 0; attempt < 3; attempt += 1) {
    for (const [command, args] of makeUserCommands) {
      await runProgram(command, args)
      const made = await findUser(ownUser)
      if (made !== undefined) return made
    }
    await sleep(200)
  }
  return undefined
}

async function findUser(name: string): Promise<ServerUser | undefined> {
  const [uid, gid] = await Promise.all([runProgram('id', ['-u', name]), runProgram('id', ['-g', name])])
  if (!uid.succeeded || !gid.succeeded) return undefined
  const user = { name, uid: Number(uid.stdout), gid: Number(gid.stdout) }
  return user.uid > 0 ? user : undefined
}

/** A container may have taken the right from root. */
export async function canBecome(user: ServerUser): Promise<boolean> {
  return (await runProgram('/bin/sh', ['-c', 'exit 0'], { user })).succeeded
}

/** Asks the kernel instead of reading modes, which knows nothing of access lists and mounts. */
export async function canReach(user: ServerUser, folder: string): Promise<boolean> {
  const { succeeded } = await runProgram('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], { user })
  return succeeded
}
