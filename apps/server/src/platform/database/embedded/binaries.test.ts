import { chmod, mkdir, readdir, readlink, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type FindOptions, findBinaries, installedSources } from './binaries.ts'
import { type PlatformPackage, restoreLibraryLinks, stagePackage } from './platform-package.ts'
import { runProgram } from './program.ts'
import { chooseServerUser } from './server-user.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'
import { query, useDatabase } from './testing/use-database.ts'

async function options(stagingFolder: string): Promise<FindOptions & { lines: string[] }> {
  const lines: string[] = []
  const user = await chooseServerUser('')
  return { stagingFolder, user, existingMajor: undefined, log: (line) => lines.push(line), lines }
}

const nothing = { platformPackage: async () => undefined, systemFolders: async () => [] }

/** Programs that only print their version. */
async function fakeBinaries(folder: string, version: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  for (const name of ['postgres', 'initdb']) {
    await writeProgram(join(folder, name), `echo "${name} (PostgreSQL) ${version}"`)
  }
  return folder
}

/** A package as npm unpacks it: its programs need a library link that is missing. */
async function fakePackage(parent: string): Promise<PlatformPackage> {
  const folder = join(parent, 'some-platform')
  await mkdir(join(folder, 'native/bin'), { recursive: true })
  await mkdir(join(folder, 'native/lib'))
  await writeFile(join(folder, 'native/lib/libneeded.so.1.2'), '')
  const links = [{ source: 'native/lib/libneeded.so.1.2', target: 'native/lib/libneeded.so.1' }]
  await writeFile(join(folder, 'native/pg-symlinks.json'), JSON.stringify(links))
  for (const name of ['postgres', 'initdb']) {
    const library = '"$(dirname "$0")/../lib/libneeded.so.1"'
    await writeProgram(
      join(folder, 'native/bin', name),
      `test -e ${library} && echo "${name} (PostgreSQL) 18.4"`,
    )
  }
  return { name: 'some-package', version: '18.4.1', folder }
}

async function writeProgram(path: string, text: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${text}\n`)
  await chmod(path, 0o755)
}

/** Makes a folder read-only. Root ignores permissions, but not mounts. */
async function makeReadOnly(folder: string): Promise<boolean> {
  if (process.getuid?.() !== 0) {
    await chmod(join(folder, 'native/lib'), 0o555)
    onTestFinished(() => chmod(join(folder, 'native/lib'), 0o755))
    return true
  }
  const mount = (...args: string[]) => runProgram('mount', [...args, folder])
  if (!(await mount('--bind', folder)).succeeded) return false
  onTestFinished(async () => {
    await runProgram('umount', [folder])
  })
  return (await mount('-o', 'remount,bind,ro')).succeeded
}

const packageSources = (platformPackage: PlatformPackage) => ({
  ...nothing,
  platformPackage: async () => platformPackage,
})

it('the package from npm is used, with links between its libraries', async () => {
  const folder = await temporaryFolder()
  const platformPackage = await fakePackage(folder)
  const findOptions = await options(folder)
  expect(await findBinaries(findOptions, packageSources(platformPackage))).toMatchObject({
    folder: join(platformPackage.folder, 'native/bin'),
    major: 18,
  })
  expect(findOptions.lines).toEqual([])
  expect(await readlink(join(platformPackage.folder, 'native/lib/libneeded.so.1'))).toBe('libneeded.so.1.2')
})

it('no links are created outside the package', async () => {
  const folder = await temporaryFolder()
  const platformPackage = await fakePackage(folder)
  const links = [{ source: 'native/lib/libneeded.so.1.2', target: '../escaped.so' }]
  await writeFile(join(platformPackage.folder, 'native/pg-symlinks.json'), JSON.stringify(links))
  expect(await restoreLibraryLinks(platformPackage)).toBe(false)
  expect(await readdir(folder)).not.toContain('escaped.so')
})

it('a copy is used when the links are missing and cannot be created', async (context) => {
  const folder = await temporaryFolder()
  const platformPackage = await fakePackage(join(folder, 'node_modules'))
  if (!(await makeReadOnly(platformPackage.folder))) return context.skip('needs a read-only folder')
  const findOptions = await options(folder)
  const found = await findBinaries(findOptions, packageSources(platformPackage))
  expect(found.folder).toBe(join(folder, 'binaries-some-platform-18.4.1', 'native/bin'))
  expect(findOptions.lines).toEqual([expect.stringMatching(/cannot be used in .* so a copy is in/)])
})

it('only runtime files are copied, readable for all users, and none twice', async () => {
  const folder = await temporaryFolder()
  const platformPackage = await fakePackage(join(folder, 'node_modules'))
  await writeFile(join(platformPackage.folder, 'native/lib/libneeded.a'), '')
  await chmod(join(platformPackage.folder, 'native/lib/libneeded.so.1.2'), 0o600)
  await mkdir(join(folder, 'binaries-some-platform-18.4.0.new-0000'))

  const copy = await stagePackage(platformPackage, folder)
  expect(copy.isNew).toBe(true)
  expect((await readdir(join(copy.folder, 'native/lib'))).toSorted()).toEqual([
    'libneeded.so.1',
    'libneeded.so.1.2',
  ])
  expect((await stat(join(copy.folder, 'native/lib/libneeded.so.1.2'))).mode & 0o777).toBe(0o644)
  expect((await stat(join(copy.folder, 'native/bin/postgres'))).mode & 0o777).toBe(0o755)
  expect(await stagePackage(platformPackage, folder)).toEqual({ folder: copy.folder, isNew: false })
  expect((await readdir(folder)).toSorted()).toEqual(['binaries-some-platform-18.4.1', 'node_modules'])
})

it('the fallback is the system’s newest PostgreSQL, or the version that created the database', async () => {
  const folder = await temporaryFolder()
  const folders = [
    await fakeBinaries(join(folder, '14'), '14.20'),
    await fakeBinaries(join(folder, '16'), '16.4 (Debian 16.4-1)'),
    await fakeBinaries(join(folder, '17'), '17rc1'),
    join(folder, 'missing'),
  ]
  const sources = { ...nothing, systemFolders: async () => folders }
  const findOptions = await options(folder)
  expect(await findBinaries(findOptions, sources)).toEqual({
    folder: folders[2],
    major: 17,
    version: '17rc1',
  })
  expect(await findBinaries({ ...findOptions, existingMajor: 16 }, sources)).toMatchObject({
    folder: folders[1],
  })
})

it('the system’s PostgreSQL is the fallback when the package does not run on this machine', async () => {
  const folder = await temporaryFolder()
  const foreign = join(folder, 'foreign')
  await fakeBinaries(join(foreign, 'native/bin'), '18.4')
  await writeFile(join(foreign, 'native/bin/postgres'), 'not a program of this machine')
  await writeFile(join(foreign, 'native/pg-symlinks.json'), '[]')
  const system = await fakeBinaries(join(folder, 'system'), '15.1')
  const platformPackage = { name: 'foreign', version: '1', folder: foreign }
  expect(
    await findBinaries(await options(folder), {
      platformPackage: async () => platformPackage,
      systemFolders: async () => [system],
    }),
  ).toMatchObject({ folder: system })
})

it('a missing PostgreSQL is reported in one line that names DATABASE_URL', async () => {
  const folder = await temporaryFolder()
  const old = await fakeBinaries(join(folder, '14'), '14.20')
  const finding = findBinaries(await options(folder), { ...nothing, systemFolders: async () => [old] })
  await expect(finding).rejects.toThrow(
    /^there is no PostgreSQL for this machine .*: install PostgreSQL 15 or later, or set DATABASE_URL to a running one$/,
  )
})

it('a PostgreSQL of the system works', async (context) => {
  const system = { ...installedSources, platformPackage: async () => undefined }
  const folder = await temporaryFolder()
  const found = await findBinaries(await options(folder), system).catch(() => undefined)
  if (found === undefined) return context.skip('the system has none')
  const database = await useDatabase(folder, { sources: system })
  expect(await query(database, `select lower('A') as lower`)).toEqual([{ lower: 'a' }])
})
