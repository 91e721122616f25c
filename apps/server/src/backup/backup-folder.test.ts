import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { keptOf, openBackupFolder } from './backup-folder.ts'
import type { BackupStore } from './backup-store.ts'
import { createDiskStore } from './disk-store.ts'
import { createSigner, isSignedBy } from './signer.ts'
import { openSpool, type Spool } from './spool.ts'

const signer = createSigner('a secret of thirty-two characters')

async function start(): Promise<{ store: BackupStore; needed: Spool }> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-folder-'))
  const store = createDiskStore(folder, async () => {})
  await store.prepare()
  const needed = await openSpool(folder)
  onTestFinished(async () => {
    await needed.close()
    await rm(folder, { recursive: true })
  })
  return { store, needed }
}

test('an archive that a store kept without confirming it retains its list', async () => {
  const { store, needed } = await start()
  const forgetful: BackupStore = {
    ...store,
    async write(place, name, content) {
      const written = await store.write(place, name, content)
      if (name.endsWith('.pult')) throw new Error('no answer')
      return written
    },
  }
  const adding = openBackupFolder(forgetful).addArchive(Readable.from(['archive']), new Date(), {
    needed,
    signer,
  })
  await expect(adding).rejects.toThrow('no answer')
  const folder = openBackupFolder(store)
  const [archive] = await folder.list()
  const files = []
  for await (const file of folder.filesOf(archive?.name ?? '', signer.fingerprint)) files.push(file)
  expect(files).toEqual([])
})

test('a list whose archive is not written is removed', async () => {
  const { store, needed } = await start()
  const failing: BackupStore = {
    ...store,
    async write(place, name, content) {
      if (!name.endsWith('.pult')) return store.write(place, name, content)
      for await (const _chunk of content);
      throw new Error('disk full')
    },
  }
  const adding = openBackupFolder(failing).addArchive(Readable.from(['archive']), new Date(), {
    needed,
    signer,
  })
  await expect(adding).rejects.toThrow('disk full')
  const names = []
  for await (const name of store.list('archives')) names.push(name)
  expect(names).toEqual([])
})

test('gilbertchen/duplicacy#377 a file that no archive needs stays for a day, because a running backup may need it', async () => {
  const { store } = await start()
  const name = `${'a'.repeat(32)}-${'b'.repeat(64)}`
  await store.write('files', name, Readable.from(['content']))
  const folder = openBackupFolder(store)
  const retain = (hours: number) =>
    folder.retain({ keep: 1 }, signer.fingerprint, Date.now() + hours * 3_600_000)
  for (const hours of [0, 23]) await retain(hours)
  expect(await store.sizeOf('files', name)).toBe(7)
  await retain(25)
  expect(await store.sizeOf('files', name)).toBeUndefined()
})

test('what another installation has signed is not signed by this one', () => {
  const [own, other] = [signer, createSigner('another secret of thirty-two characters')]
  const message = 'pult backup'
  expect(isSignedBy(own.fingerprint, message, own.sign(message))).toBe(true)
  expect(isSignedBy(own.fingerprint, message, other.sign(message))).toBe(false)
  expect(isSignedBy(own.fingerprint, 'pult backups', own.sign(message))).toBe(false)
  // The key of one, the signature of the other.
  const mixed = Buffer.concat([own.sign(message).subarray(0, 32), other.sign(message).subarray(32)])
  expect(isSignedBy(own.fingerprint, message, mixed)).toBe(false)
  for (const short of [Buffer.alloc(0), own.sign(message).subarray(0, 32)])
    expect(isSignedBy(own.fingerprint, message, short)).toBe(false)
})

const hour = 3_600_000
const dayLength = 24 * hour
const noon = Date.parse('2026-11-28T12:00:00Z')

const nameAt = (time: number) => `${new Date(time).toISOString().replaceAll(/[-:.]/g, '')}-0123abcd.pult`

/** Archives of the last `count` days at the same hour, newest first. `every`: days between two of them. */
const archivesOf = (count: number, { last = noon, every = 1 } = {}) =>
  Array.from({ length: count }, (_, index) => nameAt(last - index * every * dayLength))

const keptAmong = (names: string[], retention: Parameters<typeof keptOf>[1], now = noon) => {
  const sorted = names.toSorted().toReversed()
  const kept = keptOf(sorted, retention, now)
  return sorted.filter((name) => kept.has(name))
}

test('palisade#34 raspiBackup#708 backups made by hand push out no backup of another day', () => {
  const daily = archivesOf(3)
  const byHand = [1, 2, 3, 4].map((count) => nameAt(noon + count * hour))
  const kept = keptAmong([...daily, ...byHand], { keep: 3 }, noon + 4 * hour)
  expect(kept).toEqual([byHand.at(-1), ...daily.slice(1)])
})

test('the newest archives of so many days stay, even if days without a backup lie between them', () => {
  const [newest = '', ...others] = archivesOf(20, { every: 3 })
  expect(keptAmong([newest, ...others], { keep: 14 })).toEqual([newest, ...others.slice(0, 13)])
  expect(keptAmong([newest], { keep: 1, keepDays: 1 }, noon + 400 * dayLength)).toEqual([newest])
})

test.each([
  [{ keep: 365, keepDays: 30 }, 1, 31],
  [{ keep: 365, keepDays: 30, spacing: 7 }, 7, 5],
  [{ keep: 10, keepDays: 30 }, 1, 10],
])('with %j, of backups every %i days the newest %i stay', (retention, every, count) => {
  const all = archivesOf(100, { every })
  expect(keptAmong(all, retention)).toEqual(all.slice(0, count))
})

test('keepHours keeps the newest archive of each of so many hours, and of earlier days one each', () => {
  const halfHourly = Array.from({ length: 4 * 48 }, (_, index) => nameAt(noon - (index * hour) / 2))
  const kept = keptAmong(halfHourly, { keep: 3, keepHours: 24 })
  const ofHours = halfHourly.filter((_, index) => index === 0 || index % 2 === 1).slice(0, 24)
  // The hours reach back to yesterday, 13:30.
  expect(ofHours.at(-1)).toBe(nameAt(noon - 22.5 * hour))
  const newestOfDay = (date: string) => halfHourly.filter((name) => name.startsWith(date)).slice(0, 1)
  expect(kept).toEqual([...ofHours, ...newestOfDay('20261126')])
})

test('backups made by hand push out no backup of another hour, and hours without one take no place', () => {
  const byHand = [1, 2, 3].map((minutes) => nameAt(noon + minutes * 60_000))
  const earlier = [1, 2, 10].map((hours) => nameAt(noon - hours * hour))
  const kept = keptAmong([...byHand, ...earlier], { keep: 1, keepHours: 3 }, noon + hour / 2)
  expect(kept).toEqual([byHand.at(-1), ...earlier.slice(0, 2)])
})

test('a clock that was a month ahead makes no archive too old, and its archives take no place', () => {
  const all = archivesOf(20)
  const wrong = nameAt(noon + 30 * dayLength)
  const retention = { keep: 21, keepDays: 25 }
  // The backup that is made while the clock is ahead.
  const ahead = keptAmong([...all, wrong], retention, noon + 30 * dayLength)
  expect(ahead).toEqual([wrong, ...all])
  // The backups after the correction.
  const next = archivesOf(21, { last: noon + dayLength })
  expect(keptAmong([...next, wrong], retention, noon + dayLength)).toEqual([wrong, ...next])
  expect(keptAmong([...next, wrong], { keep: 2 }, noon + dayLength)).toEqual([wrong, ...next.slice(0, 2)])
})

test('archives of a clock that was behind are deleted in their order, and no right archive for them', () => {
  const right = archivesOf(5)
  const behind = archivesOf(5, { last: Date.parse('2020-01-05T12:00:00Z') })
  const now = Date.parse('2020-01-05T12:00:00Z')
  expect(keptAmong([...right, ...behind], { keep: 3 }, now)).toEqual([...right, ...behind.slice(0, 3)])
})
