import {
  chown,
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testServer } from '@pult/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { ensureSecret } from './secret.ts'

const { db } = await testServer()

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-secret-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Restores the state before the first start. */
const forgetSecret = () => db.deleteFrom('installation').execute()

test('RULE-79 the secret of an embedded database is created once, readable only by its owner, and reused', async () => {
  await forgetSecret()
  const dataFolder = await emptyFolder()
  const first = await ensureSecret({ db, secret: undefined, dataFolder })
  const path = join(dataFolder, 'secret')
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(Buffer.from(await readFile(path, 'utf8'), 'base64')).toHaveLength(32)
  expect(await readdir(dataFolder)).toEqual(['secret'])

  const second = await ensureSecret({ db, secret: undefined, dataFolder })
  expect(second.open('x', first.seal('x', 'content'))).toBe('content')
})

test('RULE-79 concurrent starts create one secret', async () => {
  await forgetSecret()
  const dataFolder = await emptyFolder()
  const all = await Promise.all(
    Array.from({ length: 8 }, () => ensureSecret({ db, secret: undefined, dataFolder })),
  )
  const sealed = all[0]?.seal('x', 'content') ?? Buffer.alloc(0)
  for (const secrets of all) expect(secrets.open('x', sealed)).toBe('content')
  expect(await readdir(dataFolder)).toEqual(['secret'])
})

test('RULE-79 one of several nodes with different secrets starts on an empty database', async () => {
  await forgetSecret()
  const dataFolder = await emptyFolder()
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c'].map((letter) => ensureSecret({ db, secret: letter.repeat(32), dataFolder })),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('RULE-79 a node with a secret that does not match the database is refused in one line', async () => {
  await forgetSecret()
  const dataFolder = await emptyFolder()
  await ensureSecret({ db, secret: 'a'.repeat(32), dataFolder })
  const start = (secret: string | undefined) => ensureSecret({ db, secret, dataFolder })
  await expect(start('b'.repeat(32))).rejects.toThrow(/^PULT_SECRET is not the secret[^\n]+$/)
  await expect(start(undefined)).rejects.toThrow(
    /is missing\. Check that [^\n]+ is mounted, restore [^\n]+secret[^\n]+$/,
  )
  // A missing secret is not replaced by a new one.
  expect(await readdir(dataFolder)).toEqual([])

  await writeFile(join(dataFolder, 'secret'), `${'c'.repeat(32)}\n`)
  await expect(start(undefined)).rejects.toThrow(/is not the secret/)
  await writeFile(join(dataFolder, 'secret'), '')
  await expect(start(undefined)).rejects.toThrow(/is empty/)
})

test('RULE-79 a secret that cannot be read or stored is reported in one line', async () => {
  await forgetSecret()
  const dataFolder = await emptyFolder()
  await mkdir(join(dataFolder, 'secret'))
  const start = (folder: string) => ensureSecret({ db, secret: undefined, dataFolder: folder })
  await expect(start(dataFolder)).rejects.toThrow(/secret cannot be read \(EISDIR\)$/)
  const dangling = await emptyFolder()
  await symlink('/nowhere/secret', join(dangling, 'secret'))
  await expect(start(dangling)).rejects.toThrow(/secret cannot be written \(EEXIST\)$/)
  expect(await db.selectFrom('installation').select('id').execute()).toEqual([])
})

test.runIf(process.getuid?.() === 0)(
  'MichaIng/DietPi#6780 a secret that root may not give to the owner of its folder is refused with the remedy',
  async () => {
    await forgetSecret()
    const dataFolder = await emptyFolder()
    await chown(dataFolder, 23_456, 23_456)
    const file = await open(join(dataFolder, 'file'), 'w')
    const handle = Object.getPrototypeOf(file) as FileHandle
    await file.close()
    const refused = Object.assign(new Error('EPERM: operation not permitted, fchown'), { code: 'EPERM' })
    const chowned = vi.spyOn(handle, 'chown').mockRejectedValue(refused)
    onTestFinished(() => chowned.mockRestore())
    await expect(ensureSecret({ db, secret: undefined, dataFolder })).rejects.toThrow(
      /secret cannot be written \(.* without CAP_CHOWN\. Run the command as the user 23456\)$/,
    )
  },
)

test('RULE-79 an external database requires PULT_SECRET', () => {
  expect(() => readConfig({ DATABASE_URL: 'postgresql://localhost/pult' })).toThrow(/PULT_SECRET is needed/)
})
