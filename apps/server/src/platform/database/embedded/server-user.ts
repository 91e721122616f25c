import { stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartFault } from '../../start-fault.ts'
import { runProgram, type ServerUser } from './program.ts'

const ownUser = 'pult'
const unprivilegedUser: ServerUser = { name: 'nobody', uid: 65_534, gid: 65_534 }

export const isRoot = () => process.getuid?.() === 0

/**
 * The user that runs PostgreSQL: the owner of existing database files, otherwise of the data folder, because that user
 * may run the server later, otherwise a dedicated system user (created if missing), otherwise the system's unprivileged
 * user. Undefined unless the caller is root: PostgreSQL then runs as the caller.
 */
export async function chooseServerUser(clusterFolder: string): Promise<ServerUser | undefined> {
  if (!isRoot()) return undefined
  return (
    (await ownerOf(clusterFolder)) ??
    (await accountOf(dirname(clusterFolder))) ??
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

/** Returns the owner of a folder if it has an account, which the programs that create a database require. */
async function accountOf(folder: string): Promise<ServerUser | undefined> {
  const owner = await ownerOf(folder)
  return owner && findUser(owner.name)
}

/** The commands of shadow and of BusyBox. */
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
  // They fail while another process creates a user, possibly this one.
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

/** Maps the user id of this process to the unprivileged account. Files belong to the user id nevertheless. */
const asAccount = [
  'unshare',
  '--user',
  `--map-user=${unprivilegedUser.uid}`,
  `--map-group=${unprivilegedUser.gid}`,
]

/**
 * Returns the command that runs a program with an account. The programs that create a database require one, but
 * containers can run with any user id, for example in OpenShift. The database itself requires none.
 */
export async function commandWithAccount(): Promise<string[]> {
  if (hasAccount()) return []
  const [command = '', ...args] = asAccount
  if ((await runProgram(command, [...args, 'id', '-un'])).succeeded) return asAccount
  const uid = process.getuid?.()
  throw new StartFault(
    `the database cannot be created: the user id ${uid} has no account on this system. Run Pult as a user of ` +
      `/etc/passwd (in the image: user id 10001), add a line for ${uid} to /etc/passwd, or set DATABASE_URL`,
  )
}

function hasAccount(): boolean {
  try {
    userInfo()
    return true
  } catch {
    return false
  }
}

/** Returns whether this process can switch to the user: a container may have dropped the capability. */
export async function canBecome(user: ServerUser): Promise<boolean> {
  return (await runProgram('/bin/sh', ['-c', 'exit 0'], { user })).succeeded
}

/** Asks the kernel, because file modes ignore access control lists and mounts. */
export async function canReach(user: ServerUser, folder: string): Promise<boolean> {
  const { succeeded } = await runProgram('/bin/sh', ['-c', 'test -x "$1"', 'sh', folder], { user })
  return succeeded
}
