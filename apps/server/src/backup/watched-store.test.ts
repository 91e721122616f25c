import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { BackupStore } from './backup-store.ts'
import { createDiskStore } from './disk-store.ts'
import { watchedStore } from './watched-store.ts'

async function namesOf({ list }: BackupStore): Promise<string[]> {
  const names: string[] = []
  for await (const name of list('archives')) names.push(name)
  return names
}

test('each name, each chunk and each removal of a watched store is reported, and its content is unchanged', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-watched-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  let uses = 0
  const store = watchedStore(
    createDiskStore(folder, async () => {}),
    () => {
      uses += 1
    },
  )
  const usesOf = async (work: () => Promise<unknown>) => {
    uses = 0
    await work()
    return uses
  }
  const chunks = Array.from({ length: 3 }, (_, index) => Buffer.alloc(100_000, index))
  await store.prepare()
  expect(await usesOf(() => store.write('archives', 'a.pult', Readable.from(chunks)))).toBe(3)
  const read = async () => buffer(await store.read('archives', 'a.pult'))
  expect(await usesOf(read)).toBeGreaterThan(1)
  expect((await read()).equals(Buffer.concat(chunks))).toBe(true)
  await store.write('archives', 'b.pult', Readable.from(['b']))
  expect(await usesOf(() => namesOf(store))).toBe(2)
  expect(await usesOf(() => store.remove('archives', 'a.pult'))).toBe(1)
  expect(await namesOf(store)).toEqual(['b.pult'])
})

test('a failure of a watched store or of its content reaches the caller', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-watched-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const store = watchedStore(
    createDiskStore(folder, async () => {}),
    () => {},
  )
  await store.prepare()
  await expect(store.read('archives', 'a.pult')).rejects.toThrow('does not exist')
  const broken = new Readable({ read: () => broken.destroy(new Error('The disk is gone')) })
  await expect(store.write('archives', 'a.pult', broken)).rejects.toThrow('The disk is gone')
  expect(await namesOf(store)).toEqual([])
})
