import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, statfs, symlink, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiBase, type ErrorReply, extensionEndpoints, rootExtensionEndpoints } from '@pult/contract'
import { smallDisk, testServer, writeExtension } from '@pult/testkit'
import { create } from 'tar'
import { afterAll, expect, test } from 'vitest'

const size = 1_500_000

const disk = await smallDisk('size=6m,nr_inodes=60')
const server = await testServer()
const root = await server.given.person({ isRoot: true })
const { projectId } = await server.given.project(root, { products: ['reporting'] })
const scratch = await mkdtemp(join(tmpdir(), 'pult-archives-'))
afterAll(() => rm(scratch, { recursive: true, force: true }))

/** Creates an archive of about half its unpacked size. */
async function archiveOf(version: string): Promise<Uint8Array<ArrayBuffer>> {
  const source = join(scratch, version)
  await writeExtension(source, {
    manifest: {
      id: 'reports',
      version,
      products: [{ sku: 'reporting', label: 'Reporting', roles: [] }],
      apps: [
        {
          id: 'reports',
          uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
          label: 'Reports',
          icon: 'box',
          productSku: 'reporting',
        } as { id: string; label: string },
      ],
    },
    files: { 'big.json': JSON.stringify(randomBytes(size / 2).toString('hex')) },
  })
  await create({ file: `${source}.tgz`, gzip: true, cwd: source }, await readdir(source))
  return new Uint8Array(await readFile(`${source}.tgz`))
}

async function install(archive: Uint8Array<ArrayBuffer>): Promise<[number, string | undefined]> {
  const answer = await fetch(`${server.url}${apiBase}/apps/root/extensions`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${root.token}`, 'content-type': 'application/gzip' },
    body: archive,
  })
  return [answer.status, ((await answer.json()) as ErrorReply).code]
}

/** Checks that the console receives this version, with unchanged files on disk. */
async function runs(version: string): Promise<void> {
  const { body: list } = await root.call(rootExtensionEndpoints.list)
  expect(list.items.find(({ id }) => id === 'reports')).toMatchObject({ version, problem: null })
  const { body } = await root.call(extensionEndpoints.probe, { query: { project: projectId } })
  const found = body.find(({ id }) => id === 'reports')
  expect(found?.version).toBe(version)
  expect((await fetch(server.url + (found?.entry ?? ''))).status).toBe(200)
}

test.skipIf(disk === undefined)(
  'RULE-71 DEC-21 an installation on a full disk returns 507 without leftovers, and removing a version frees space',
  async () => {
    const folder = disk ?? ''
    await symlink(folder, join(server.dataFolder, 'extensions'))
    const filler = join(folder, '.filler')
    const free = async () => {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    }
    /** Fills the disk except for `left` bytes. */
    const fill = async (left: number) => writeFile(filler, Buffer.alloc(Math.max(0, (await free()) - left)))
    const onDisk = async () =>
      (await readdir(folder, { recursive: true })).filter((path) => !path.startsWith('.filler')).toSorted()

    expect(await install(await archiveOf('1.0.0'))).toEqual([200, undefined])
    expect(
      await root.call(rootExtensionEndpoints.enable, { params: { name: 'reports' }, body: {} }),
    ).toSucceed()
    await writeFile(filler, '')
    const before = await onDisk()
    const next = await archiveOf('2.0.0')

    // From no free space to almost enough for the archive and its content.
    for (const left of [0, 4096, next.length / 2, next.length + 4096, next.length + size / 2]) {
      await fill(left)
      expect([left, ...(await install(next))]).toEqual([left, 507, 'NO_SPACE_LEFT'])
      expect(await onDisk()).toEqual(before)
      await runs('1.0.0')
      await truncate(filler, 0)
    }

    // Enough bytes but too few inodes: from none to one less than needed.
    const { ffree } = await statfs(folder)
    for (let left = 0; left < 6; left += 1) {
      const fillers = Array.from({ length: ffree - left }, (_, index) => join(folder, `.filler-${index}`))
      for (const path of fillers) await writeFile(path, '')
      expect([left, ...(await install(next))]).toEqual([left, 507, 'NO_SPACE_LEFT'])
      await runs('1.0.0')
      for (const path of fillers) await rm(path)
      expect(await onDisk()).toEqual(before)
    }

    expect(await install(next)).toEqual([200, undefined])
    expect(
      await root.call(rootExtensionEndpoints.enable, { params: { name: 'reports' }, body: {} }),
    ).toSucceed()
    await runs('2.0.0')

    // Removing an extension must work without free space.
    const { body: list } = await root.call(rootExtensionEndpoints.list)
    const former = list.items
      .find(({ id }) => id === 'reports')
      ?.versions.find(({ version }) => version === '1.0.0')
    await fill(0)
    const inodes = (await statfs(folder)).ffree
    for (let index = 0; index < inodes; index += 1) await writeFile(join(folder, `.filler-${index}`), '')
    const params = { name: 'reports', digest: former?.digest ?? '' }
    expect(await root.call(rootExtensionEndpoints.removeVersion, { params, body: {} })).toSucceed()
    expect(await onDisk()).toEqual(before.map((path) => path.replace('@1.0.0', '@2.0.0')).toSorted())
    await runs('2.0.0')
    expect(server.logLines.filter((line) => line.includes('a call failed'))).toEqual([])
  },
)
