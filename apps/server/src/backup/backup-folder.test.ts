import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { openBackupFolder } from './backup-folder.ts'
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
