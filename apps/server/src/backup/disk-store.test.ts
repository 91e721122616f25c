import { execFile } from 'node:child_process'
import { chmod, chown, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { smallDisk } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { createDiskStore } from './disk-store.ts'
import { openBackupStore } from './open-backup-store.ts'

const run = promisify(execFile)
const mebibyte = 1024 ** 2
const content = (bytes: number) => Readable.from([Buffer.alloc(bytes)])
const open = (folder: string, reserve = 0) => openBackupStore(folder, { account: undefined, reserve })

test.runIf(process.platform === 'linux')('a folder that cannot be created is named immediately', async () => {
  const store = createDiskStore('/proc/backups', async () => {})
  await expect(store.prepare()).rejects.toThrow(
    /^backups cannot be written \(ENOENT.*\): check that \/proc\/backups is a folder and belongs to this user$/,
  )
})

test.runIf(process.getuid?.() === 0)(
  'restic#5731 pgbackrest#1693 borg#1869 a backup that root makes belongs to the user of its folder',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pult-disk-store-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await chown(folder, 23_456, 23_457)
    const store = createDiskStore(folder, async () => {})
    await store.prepare()
    await store.write('archives', '1.pult', content(10))
    await store.write('files', '15aa', content(10))
    const made = await readdir(folder, { recursive: true })
    expect(made.toSorted()).toEqual(['archives', 'archives/1.pult', 'files', 'files/15', 'files/15/15aa'])
    for (const path of made) {
      const { uid, gid, mode } = await stat(join(folder, path))
      expect([path, uid, gid, mode & 0o077]).toEqual([path, 23_456, 23_457, 0])
    }
    // The service, as its own user.
    const { stdout } = await run('ls', ['-R', folder], { uid: 23_456, gid: 23_457 })
    expect(stdout).toContain('15aa')
  },
)

const hasSetpriv = await run('setpriv', ['--version']).then(
  () => true,
  () => false,
)

test.runIf(process.getuid?.() === 0 && hasSetpriv)(
  'MichaIng/DietPi#6780 root whose files a share gives to another user creates nothing there',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pult-disk-store-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await chown(folder, 23_456, 23_457)
    await chmod(folder, 0o777)
    const script = `
      const { createDiskStore } = await import(${JSON.stringify(new URL('./disk-store.ts', import.meta.url))})
      await createDiskStore(${JSON.stringify(folder)}, async () => {}).prepare()`
    // Like such a share, the kernel then answers EPERM to chown.
    const capabilities = ['--bounding-set', '-chown', '--inh-caps', '-chown']
    await expect(
      run('setpriv', [...capabilities, process.execPath, '--input-type=module', '-e', script]),
    ).rejects.toThrow(`Run the command as the user 23456`)
    expect(await readdir(folder)).toEqual([])
  },
)

test('a folder below a file is named with the remedy', async () => {
  const store = createDiskStore(join(import.meta.filename, 'backups'), async () => {})
  await expect(store.prepare()).rejects.toThrow(
    /backups cannot be used \(ENOTDIR.*\): check that it is a folder and belongs to this user$/,
  )
})

test('a backup that would use the reserve names its own disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-disk-store-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const store = await open(folder, 1024 ** 5)
  await store.prepare()
  await expect(store.write('files', '15aa', content(10))).rejects.toThrow(
    `the disk of ${folder} has no more free space than DISK_RESERVE, 1073741824 MiB: free space there, or use another disk for the backups`,
  )
  expect(await readdir(join(folder, 'files/15'))).toEqual([])
})

const disk = await smallDisk('size=4m,nr_inodes=40')
test.skipIf(disk === undefined)(
  'a full disk, one without inodes and a read-only one are named with their remedies, and leave no part of a file',
  async () => {
    const folder = join(disk ?? '', 'backups')
    const store = await open(folder)
    const write = (bytes: number) => store.write('files', '15aa', content(bytes))
    await store.prepare()
    await expect(write(5 * mebibyte)).rejects.toThrow(
      `the disk of ${folder} is full: free space there, or use another disk`,
    )
    expect(await readdir(join(folder, 'files/15'))).toEqual([])

    await run('sh', ['-c', `n=0; while true > ${disk}/filler-$n; do n=$((n+1)); done 2> /dev/null; true`])
    await expect(write(10)).rejects.toThrow(`the disk of ${folder} has no free inodes: delete files there`)
    await run('sh', ['-c', `rm ${disk}/filler-*`])

    await run('mount', ['-o', 'remount,ro', disk ?? ''])
    await expect(write(10)).rejects.toThrow(
      `${folder} is read-only: mount it for writing. A systemd unit must name it in ReadWritePaths`,
    )
    await run('mount', ['-o', 'remount,rw', disk ?? ''])
    await write(10)
    expect(await readFile(store.pathOf('files', '15aa'))).toHaveLength(10)
  },
)
