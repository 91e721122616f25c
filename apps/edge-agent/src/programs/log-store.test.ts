import { readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { createLogStore } from './log-store.ts'

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`)

function fill(store: ReturnType<typeof createLogStore>, from: number, to: number) {
  for (const line of numbered(from, to)) store.add(line)
}

test('an answer has the newest lines after a given one, and stays within its size limit', async () => {
  const store = createLogStore({ folder: await temporaryFolder() })
  expect(await store.read({ after: 0 })).toEqual({ first: 1, lines: [], oldest: 1 })
  fill(store, 1, 50)
  expect(await store.read({ after: 47 })).toMatchObject({ first: 48, lines: numbered(48, 50) })
  expect(await store.read({ after: 50 })).toMatchObject({ first: 51, lines: [] })
  fill(store, 51, 20_000)
  const { first, lines } = await store.read({ after: 50 })
  expect(lines).toEqual(numbered(first, 20_000))
  expect(lines).toHaveLength(1000)
  for (let index = 0; index < 100; index += 1) store.add('x"\\ü'.repeat(500))
  expect(Buffer.byteLength(JSON.stringify((await store.read({ after: 0 })).lines))).toBeLessThan(48_000)
  await store.close()
})

test('earlier lines, and all lines in order, come from the disk, even after a restart', async () => {
  const folder = await temporaryFolder()
  const former = createLogStore({ folder, file: 20_000 })
  fill(former, 1, 5000)
  await former.close()
  const store = createLogStore({ folder, file: 20_000 })
  // A program starts while the folder is read.
  for (let number = 5001; number <= 5100; number += 1) {
    fill(store, number, number)
    await new Promise((resolve) => setImmediate(resolve))
  }
  fill(store, 5101, 9000)
  const earlier = await store.read({ after: 0, before: 5500 })
  expect(earlier).toMatchObject({ first: 4500, lines: numbered(4500, 5499), oldest: 1 })
  const all: string[] = []
  for (let lines = ['']; lines.length > 0; all.push(...lines))
    ({ lines } = await store.read({ after: all.length, isForward: true }))
  expect(all).toEqual(numbered(1, 9000))
  // Numbers are never reused.
  await store.clear()
  store.add('new')
  expect(await store.read({ after: 0 })).toEqual({ first: 9001, lines: ['new'], oldest: 9001 })
})

test('the oldest lines are deleted when the log is full', async () => {
  const folder = await temporaryFolder()
  const store = createLogStore({ folder, kept: 40_000, file: 10_000 })
  for (let from = 1; from < 20_000; from += 1000) {
    fill(store, from, from + 999)
    await store.close()
  }
  const { oldest, first, lines } = await store.read({ after: 0, isForward: true })
  expect(oldest).toBeGreaterThan(15_000)
  expect([first, lines[0]]).toEqual([oldest, `line ${oldest}`])
  expect((await readdir(folder)).length).toBeLessThan(6)
})

test('if a folder cannot be written, only the lines on the disk are lost', async () => {
  const file = join(await temporaryFolder(), 'file')
  await writeFile(file, '')
  const store = createLogStore({ folder: join(file, 'logs') })
  fill(store, 1, 10)
  await store.close()
  fill(store, 11, 12)
  expect(await store.read({ after: 9 })).toMatchObject({ first: 10, lines: numbered(10, 12) })
})

test.runIf(process.platform === 'linux')(
  'a full disk gets no empty file with each failed write',
  async () => {
    const folder = await temporaryFolder()
    const store = createLogStore({ folder })
    await store.read({ after: 0 })
    // Each write to this device fails as on a full disk, after the file has been opened.
    await symlink('/dev/full', join(folder, '000000000000001.log'))
    fill(store, 1, 3)
    await store.close()
    expect(await readdir(folder)).toEqual([])
    fill(store, 4, 5)
    await store.close()
    expect(await readdir(folder)).toEqual(['000000000000004.log'])
    expect(await store.read({ after: 0 })).toMatchObject({ first: 1, lines: numbered(1, 5) })
  },
)
