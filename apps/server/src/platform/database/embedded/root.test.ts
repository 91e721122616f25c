import { chmod, chown, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findBinaries, installedSources } from './binaries.ts'
import { openDataFolder, openForServerUser } from './data-folder.ts'
import { startEmbeddedDatabase } from './embedded-database.ts'
import { canReach, chooseServerUser } from './server-user.ts'
import { startProcess } from './testing/database-process.ts'
import { copyOfPackage } from './testing/package-copy.ts'
import { sharedFolder, temporaryFolder } from './testing/temporary-folder.ts'
import { query, useDatabase } from './testing/use-database.ts'

const nobody = 65_534
const shared = sharedFolder()

describe.runIf(process.getuid?.() === 0)('as root', () => {
  it('DEC-47 runs PostgreSQL as an unprivileged user that owns its files, and says so', async () => {
    const database = await useDatabase(shared.path)
    const user = await chooseServerUser(join(shared.path, 'none'))
    const cluster = await stat(join(shared.path, 'postgres'))
    expect(cluster.uid).toBe(user?.uid)
    expect(cluster.uid).not.toBe(0)
    expect(cluster.mode & 0o777).toBe(0o700)
    expect(database.lines).toEqual([
      `Database: PostgreSQL 18.4 keeps its files in ${shared.path}/postgres and runs as the user ${user?.name}, ` +
        'because PostgreSQL refuses to run as root.',
    ])
    // What root writes for it stays root's.
    for (const name of ['', ...(await readdir(join(shared.path, 'postgres-server')))]) {
      expect((await stat(join(shared.path, 'postgres-server', name))).uid).toBe(0)
    }
  })

  it('refuses a database that was given to root', async () => {
    const cluster = join(shared.path, 'postgres')
    await (await useDatabase(shared.path)).stop()
    const { uid, gid } = await stat(cluster)
    await chown(cluster, 0, 0)
    await expect(startEmbeddedDatabase({ dataFolder: shared.path, log: () => {} })).rejects.toThrow(
      /belongs to root/,
    )
    await chown(cluster, uid, gid)
  })

  const user = { name: 'nobody', uid: nobody, gid: nobody }

  it('opens a data folder of its own just for that user', async () => {
    const path = join(await temporaryFolder(), 'data')
    await mkdir(path, { mode: 0o700 })
    await openForServerUser(await openDataFolder(path), user)
    expect(await canReach(user, path)).toBe(true)
    const { uid, gid, mode } = await stat(path)
    expect([uid, gid, mode & 0o777]).toEqual([0, nobody, 0o710])
  })

  it('makes a data folder and its parents so that the user reaches it, whatever the umask', async () => {
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

  it('opens no folder that is shared with a group or belongs to somebody', async () => {
    const path = join(await temporaryFolder(), 'data')
    await mkdir(path)
    await chmod(path, 0o770)
    await expect(openForServerUser(await openDataFolder(path), user)).rejects.toThrow(
      /is closed to the user nobody/,
    )
    expect((await stat(path)).mode & 0o777).toBe(0o770)
  })

  it('says what to do when the data folder is in a closed one, as root’s home is', async () => {
    const home = join(await temporaryFolder(), 'home')
    await mkdir(home, { mode: 0o700 })
    await expect(startEmbeddedDatabase({ dataFolder: join(home, 'data'), log: () => {} })).rejects.toThrow(
      /^the data folder .* is closed to the user \S+, as whom the database runs .*: set PULT_DATA to a folder outside/,
    )
    expect((await stat(home)).mode & 0o777).toBe(0o700)
  })

  it('copies the programs where the user reaches them, once', async () => {
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

    // Back in a reachable place there is no need for the copy.
    await useDatabase(folder)
    expect((await readdir(join(folder, 'postgres-server'))).filter((name) => name.startsWith('bin'))).toEqual(
      [],
    )
  })

  it('runs as the owner of a database that an ordinary user made', async () => {
    const folder = join(await temporaryFolder(), 'data')
    await mkdir(folder)
    await chown(folder, nobody, nobody)
    await chmod(folder, 0o700)
    const other = startProcess(folder, { uid: nobody })
    await other.ready
    await other.stop()

    const database = await useDatabase(folder)
    expect(await query(database, 'select 1 as one')).toEqual([{ one: 1 }])
    await database.stop()
    expect((await stat(join(folder, 'postgres', 'PG_VERSION'))).uid).toBe(nobody)

    const again = startProcess(folder, { uid: nobody })
    await again.ready
    await again.stop()
  })

  it('tells when no PostgreSQL can be run as the user', async () => {
    const home = join(await temporaryFolder(), 'home')
    await mkdir(home, { mode: 0o700 })
    const platformPackage = await copyOfPackage(join(home, 'node_modules'))
    await expect(
      findBinaries(
        { stagingFolder: home, user: await chooseServerUser(''), wantedMajor: undefined, log: () => {} },
        { platformPackage: async () => platformPackage, systemFolders: async () => [] },
      ),
    ).rejects.toThrow(/set DATABASE_URL/)
  })
})
