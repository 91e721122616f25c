import { chmod, chown, mkdir, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { askServer, connectionTo } from './connection.ts'
import type { DataFolder } from './data-folder.ts'
import { chooseSocketFolder } from './socket-folder.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

const folderAt = (path: string): DataFolder => ({
  path,
  cluster: join(path, 'postgres'),
  server: join(path, 'postgres-server'),
  startLock: '',
  usersLock: '',
  log: '',
  id: '0a1b2c3d',
})
const short = 'pult-0a1b2c3d'

/** 103 bytes minus the name of the socket and the folder of the database. */
const longest = 103 - '/postgres/.s.PGSQL.5432'.length

it('the socket is in the database folder for paths up to 103 bytes', async () => {
  const place = await temporaryFolder()
  const fitting = `/${'x'.repeat(longest - 1)}`
  const choose = (path: string) => chooseSocketFolder(folderAt(path), undefined, { places: [place] })
  expect(await choose(fitting)).toBe(`${fitting}/postgres`)
  expect(await choose(`${fitting}x`)).toBe(join(place, short))
  // The limit applies to bytes, not characters.
  expect(await choose(`/${'ä'.repeat(longest / 2)}`)).toBe(join(place, short))
})

const deep = folderAt(`/${'x'.repeat(200)}`)

it('longer paths use a private folder, the same each time', async () => {
  const place = await temporaryFolder()
  const choose = () => chooseSocketFolder(deep, undefined, { places: [place] })
  expect(await choose()).toBe(join(place, short))
  expect(await choose()).toBe(join(place, short))
  expect((await stat(join(place, short))).mode & 0o777).toBe(0o700)
})

it('the previous private folder is reused, and recreated if necessary', async () => {
  const [before, now] = [await temporaryFolder(), await temporaryFolder()]
  const previous = join(before, short)
  expect(await chooseSocketFolder(deep, undefined, { previous, places: [now] })).toBe(previous)
  expect((await stat(previous)).isDirectory()).toBe(true)
})

it('a folder that other users can write or that is a link is never used', async () => {
  const [open, linked, unsticky] = [await temporaryFolder(), await temporaryFolder(), await temporaryFolder()]
  const [file, good] = [await temporaryFolder(), await temporaryFolder()]
  await mkdir(join(open, short))
  await chmod(join(open, short), 0o777)
  await mkdir(join(linked, 'elsewhere'), { mode: 0o700 })
  await symlink(join(linked, 'elsewhere'), join(linked, short))
  await chmod(unsticky, 0o777)
  await writeFile(join(file, short), '', { mode: 0o600 })

  const places = [open, linked, unsticky, file]
  expect(await chooseSocketFolder(deep, undefined, { places: [...places, good] })).toBe(join(good, short))
  await expect(chooseSocketFolder(deep, undefined, { places })).rejects.toThrow(
    /set PULT_DATA to a shorter path/,
  )
})

it.runIf(process.getuid?.() === 0)('a folder of another user is never used', async () => {
  const place = await temporaryFolder()
  await mkdir(join(place, short), { mode: 0o700 })
  await chown(join(place, short), 65_534, 65_534)
  await expect(chooseSocketFolder(deep, undefined, { places: [place] })).rejects.toThrow(/no private folder/)
  const user = { name: 'other', uid: 65_534, gid: 65_534 }
  expect(await chooseSocketFolder(deep, user, { places: [place] })).toBe(join(place, short))
})

it('a server that answers late differs from one whose socket is gone', async () => {
  const folder = await temporaryFolder()
  const connection = connectionTo(folder, 5432)
  expect(await askServer(connection)).toBe('no answer')
  const busy = createServer(() => {})
  await new Promise<void>((listening) => busy.listen(join(folder, '.s.PGSQL.5432'), listening))
  expect(await askServer(connection)).toBe('late')
  busy.close()
})
