import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { smallDisk } from '@pult/testkit'
import { expect, test } from 'vitest'
import { readSpace, spaceOf } from './space.ts'

const run = promisify(execFile)
const fuse = 0x65735546
const nfs = 0x6969
const mebibyte = 1024 ** 2
const counts = { blocks: 120_699_413, bavail: 30_000_000, files: 10, ffree: 4 }

test.runIf(process.platform === 'linux')('the size of a disk is the one that df reports', async () => {
  const { stdout } = await run('df', ['-B1', '--output=size', tmpdir()])
  expect((await readSpace(tmpdir())).size).toBe(Number(stdout.split('\n')[1]))
})

test.each([
  ['a virtiofs mount', { type: fuse, bsize: mebibyte, frsize: 4096 }, 4096],
  ['a virtiofs mount of a Mac', { type: fuse, bsize: 2 * mebibyte, frsize: 16_384 }, 16_384],
  ['a virtiofs mount without the size of its blocks', { type: fuse, bsize: mebibyte }, 4096],
  ['a FUSE mount with small transfers', { type: fuse, bsize: 65_536 }, 65_536],
  ['an NFS mount, which counts its large blocks', { type: nfs, bsize: mebibyte, frsize: mebibyte }, mebibyte],
  ['an NFS mount without the size of its blocks', { type: nfs, bsize: mebibyte }, mebibyte],
  ['a local disk', { type: 0xef53, bsize: 4096, frsize: 4096 }, 4096],
])(
  'nodejs/node#62277 immich#4318 lavinmq#2054 the space of %s is that of its blocks',
  (_name, units, unit) => {
    expect(spaceOf({ ...counts, ...units })).toEqual({
      free: counts.bavail * unit,
      size: counts.blocks * unit,
      inodes: 4,
    })
  },
)

test('a file system without a fixed number of inodes has no limit of them', () => {
  const btrfs = { ...counts, type: 0x9123683e, bsize: 4096, frsize: 4096, files: 0, ffree: 0 }
  expect(spaceOf(btrfs).inodes).toBeUndefined()
})

const disk = await smallDisk('size=4m,nr_inodes=8')
test.skipIf(disk === undefined)(
  'routinator#785 a disk without free inodes has none, although bytes are free',
  async () => {
    const folder = disk ?? ''
    for (let file = 0; ; file += 1) {
      const error = await writeFile(join(folder, String(file)), '').catch((reason: unknown) => reason)
      if (error !== undefined) break
    }
    expect(await readSpace(folder)).toMatchObject({ inodes: 0, size: 4 * mebibyte })
    expect((await readSpace(folder)).free).toBeGreaterThan(mebibyte)
  },
)
