import { spawnSync } from 'node:child_process'
import { chmod, chown, lstat, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBinaries, installedSources } from './binaries.ts'
import { besideCluster, openDataFolder, openForServerUser } from './data-folder.ts'
import { startEmbeddedDatabase } from './embedded-database.ts'
import { limitServerLog } from './server-log.ts'
import { canReach, chooseServerUser } from './server-user.ts'
import { startProcess } from './testing/database-process.ts'
import { copyOfPackage } from './testing/package-copy.ts'
import { sharedFolder, temporaryFolder } from './testing/temporary-folder.ts'
import { query, useDatabase } from './testing/use-database.ts'

const otherUser = 65_534
const shared = sharedFolder()

describe.runIf(process.getuid?.() === 0)('as root', () => {
  it('DEC-47 PostgreSQL runs as an unprivileged user that owns its files, and the log reports it', async () => {
    const database = await useDatabase(shared.path)
    const user = await chooseServerUser(join(shared.path, 'none'))
    const cluster = await stat(join(shared.path, 'postgres'))
    expect(cluster.uid).toBe(user?.uid)
    expect(cluster.uid).not.toBe(0)
    expect(cluster.mode & 0o777).toBe(0o700)
    expect(database.lines).toEqual([
      `Database: PostgreSQL 18.4 stores its files in ${shared.path}/postgres and runs as the user ${user?.name}, ` +
        'because PostgreSQL refuses to run as root.',
    ])
    // Files that root writes for it stay owned by root.
    for (const name of ['', ...(await readdir(join(shared.path, 'postgres-server')))]) {
      expect((await stat(join(shared.path, 'postgres-server', name))).uid).toBe(0)
    }
  })

  it('a database owned by root is refused', async () => {
    const cluster = join(shared.path, 'postgres')
    await (await useDatabase(shared.path)).stop()
    const { uid, gid } = await stat(cluster)
    await chown(cluster, 0, 0)
    await expect(startEmbeddedDatabase({ dataFolder: shared.path, log: () => {} })).rejects.toThrow(
      /belongs to root/,
    )
    await chown(cluster, uid, gid)
  })

  const user = { name: 'other', uid: otherUser, gid: otherUser }

  it('a data folder that only root can enter is opened for that user alone', async () => {
    const path = join(await temporaryFolder(), 'data')
    await mkdir(path, { mode: 0o700 })
    await openForServerUser(await openDataFolder(path), user)
    expect(await canReach(user, path)).toBe(true)
    const { uid, gid, mode } = await stat(path)
    expect([uid, gid, mode & 0o777]).toEqual([0, otherUser, 0o710])
  })

  it('a data folder and its parents are accessible to the user under any umask', async () => {
    const path = join(await temporaryFolder(), 'a', 'b')
    const before = process.umask(0o077)
    try {
      await openForServerUser(await openDataFolder(path), user)
    } finally {
      process.umask(before)
    }
    expect(await canReach(user, join(path, 'postgres-server'))).toBe(true)
    expect((await stat(path)).mode & 0o777).toBe(0o710)
  })

  it('the folder of all clones is opened when files of another installation have closed it', async () => {
    const stateFolder = join(await temporaryFolder(), 'pult')
    await mkdir(join(stateFolder, 'another', 'files'), { recursive: true, mode: 0o700 })
    const path = join(stateFolder, 'clone')
    // On the second call, the data folder itself is open already.
    for (let times = 0; times < 2; times += 1) {
      await chmod(stateFolder, 0o700)
      await openForServerUser(await openDataFolder(path), user, stateFolder)
      expect(await canReach(user, join(path, 'postgres-server'))).toBe(true)
    }
    expect(await canReach(user, join(stateFolder, 'another', 'files'))).toBe(false)
  })

  it('a folder that is shared with a group or owned by another user is not opened', async () => {
    const path = join(await temporaryFolder(), 'data')
    await mkdir(path)
    await chmod(path, 0o770)
    await expect(openForServerUser(await openDataFolder(path), user)).rejects.toThrow(
      /is closed to the user other/,
    )
    expect((await stat(path)).mode & 0o777).toBe(0o770)
  })

  it('a data folder below a closed one, such as root’s home, is reported with a remedy', async () => {
    const home = join(await temporaryFolder(), 'home')
    await mkdir(home, { mode: 0o700 })
    await expect(startEmbeddedDatabase({ dataFolder: join(home, 'data'), log: () => {} })).rejects.toThrow(
      /^the data folder .* is closed to the user \S+, which runs the database .*: set PULT_DATA to a folder outside/,
    )
    expect((await stat(home)).mode & 0o777).toBe(0o700)
  })

  it('the programs are copied once to a place that the user can access', async () => {
    const home = join(await temporaryFolder(), 'home')
    await mkdir(home, { mode: 0o700 })
    const platformPackage = await copyOfPackage(join(home, 'node_modules'))
    const folder = await temporaryFolder()
    const sources = { ...installedSources, platformPackage: async () => platformPackage }

    const first = await useDatabase(folder, { sources })
    expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(first.lines[0]).toMatch(
      /^Database: its programs cannot be used in .*home.*so a copy is in .*postgres-server/,
    )
    await first.stop()
    const second = await useDatabase(folder, { sources })
    expect(second.lines).toEqual([])
    await second.stop()

    // Accessible binaries need no copy.
    await useDatabase(folder)
    expect((await readdir(join(folder, 'postgres-server'))).filter((name) => name.startsWith('bin'))).toEqual(
      [],
    )
  })

  it('PostgreSQL runs as the owner of a database that an ordinary user created', async () => {
    const folder = join(await temporaryFolder(), 'data')
    await mkdir(folder)
    await chown(folder, otherUser, otherUser)
    await chmod(folder, 0o700)
    const other = startProcess(folder, { uid: otherUser })
    await other.ready
    await other.stop()

    const database = await useDatabase(folder)
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
    await database.stop()
    expect((await stat(join(folder, 'postgres', 'PG_VERSION'))).uid).toBe(otherUser)

    const again = startProcess(folder, { uid: otherUser })
    await again.ready
    await again.stop()
  })

  it('Ylianst/MeshCentral#222 what a first command of root creates in the folder of a user lets that user start the server', async () => {
    const parent = join(await temporaryFolder(), 'pult')
    await mkdir(parent, { mode: 0o700 })
    await chown(parent, otherUser, otherUser)
    const home = join(await temporaryFolder(), 'home')
    await mkdir(home, { mode: 0o700 })
    const platformPackage = await copyOfPackage(join(home, 'node_modules'))
    const sources = { ...installedSources, platformPackage: async () => platformPackage }
    for (const folder of [parent, join(parent, 'inner', 'data')]) {
      // The first database has a copy of its programs.
      const first = await useDatabase(folder, folder === parent ? { sources } : {})
      expect(await query(first, 'select 1 as one')).toEqual([{ one: 1 }])
      await first.stop()
      await limitServerLog(join(folder, 'postgres-server', 'server.log'), 0)
      const names = ['', 'postgres', ...(await readdir(join(folder, 'postgres-server'), { recursive: true }))]
      for (const name of names) {
        const path = name === 'postgres' ? join(folder, name) : join(folder, 'postgres-server', name)
        expect([path, (await lstat(path)).uid]).toEqual([path, otherUser])
      }
      expect(names).toEqual(
        expect.arrayContaining(['start.lock', 'server.log', 'server.log.1', 'settings.conf']),
      )
      const other = startProcess(folder, { uid: otherUser })
      await other.ready
      await other.stop()
      expect(
        (await readdir(join(folder, 'postgres-server'))).filter((name) => name.startsWith('bin')),
      ).toEqual([])
    }
    const beside = await besideCluster(await openDataFolder(parent))
    expect((await stat(beside.server)).uid).toBe(otherUser)
  })

  it('Ylianst/MeshCentral#222 a file of root that keeps a user from the database is named', async () => {
    const folder = join(await temporaryFolder(), 'data')
    await mkdir(folder, { mode: 0o700 })
    await chown(folder, otherUser, otherUser)
    const { startLock } = await openDataFolder(folder)
    await chown(startLock, 0, 0)
    await expect(startProcess(folder, { uid: otherUser }).ready).rejects.toThrow(
      `cannot be written (EACCES): give this user write access to ${startLock}, or set PULT_DATA`,
    )
  })

  describe('with a user id that has no account, as containers have', () => {
    const uid = 23_456
    const folderOf = async () => {
      const folder = join(await temporaryFolder(), 'data')
      await mkdir(folder, { mode: 0o700 })
      await chown(folder, uid, uid)
      return folder
    }

    it('the database is created, starts again and belongs to the user id', async (context) => {
      const mapped = spawnSync('unshare', ['--user', '--map-user=65534', 'true'], { uid, gid: uid })
      if (mapped.status !== 0) return context.skip('needs user namespaces')
      const folder = await folderOf()
      for (let times = 0; times < 2; times += 1) {
        const server = startProcess(folder, { uid, env: { HOME: '/', TMPDIR: '/nonexistent' } })
        await server.ready
        await server.stop()
      }
      expect((await stat(join(folder, 'postgres', 'PG_VERSION'))).uid).toBe(uid)
    })

    it('root creates the database in its folder as another user, because that needs an account', async () => {
      const chosen = await chooseServerUser(join(await folderOf(), 'postgres'))
      expect(chosen).toEqual(await chooseServerUser('/postgres'))
    })

    it('a system without user namespaces is reported with the remedies', async () => {
      const folder = await folderOf()
      // Without the program that makes namespaces.
      const server = startProcess(folder, { uid, env: { PATH: '/nonexistent' } })
      await expect(server.ready).rejects.toThrow(
        /the user id 23456 has no account on this system\. Run Pult as a user of \/etc\/passwd \(in the image: user id 10001\), add a line/,
      )
      expect(await readdir(folder)).toEqual(['postgres-server'])
    })
  })

  it('a PostgreSQL that the user cannot run is reported', async () => {
    const home = join(await temporaryFolder(), 'home')
    await mkdir(home, { mode: 0o700 })
    const platformPackage = await copyOfPackage(join(home, 'node_modules'))
    await expect(
      findBinaries(
        { stagingFolder: home, user: await chooseServerUser(''), existingMajor: undefined, log: () => {} },
        { platformPackage: async () => platformPackage, systemFolders: async () => [] },
      ),
    ).rejects.toThrow(/set DATABASE_URL/)
  })
})
