import { chown, mkdir, mkdtemp, open, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createOwnedFile, createOwnedFolder, giveFile, giveTree } from './owner.ts'
import { PlaceFault } from './place-fault.ts'

const isRoot = process.getuid?.() === 0
const service = 23_456

/** A folder of another user than root. */
async function foreignFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-owner-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await chown(folder, service, service)
  return folder
}

const ownerOf = async (path: string) => {
  const { uid, gid } = await stat(path)
  return [uid, gid]
}

test.runIf(isRoot)('what root creates in a folder of another user belongs to that user', async () => {
  const folder = await foreignFolder()
  const inner = join(folder, 'one/two')
  await createOwnedFolder(inner, 0o700)
  const path = join(inner, 'file')
  const file = await open(path, 'wx', 0o600)
  await giveFile(file, inner)
  await file.close()
  const other = join(inner, 'other')
  await (await createOwnedFile(other, 0o600)).close()
  for (const made of [join(folder, 'one'), inner, path, other])
    expect(await ownerOf(made)).toEqual([service, service])
})

test.runIf(isRoot)('a tree that root gives away contains no file behind a link', async () => {
  const folder = await foreignFolder()
  const outside = await mkdtemp(join(tmpdir(), 'pult-outside-'))
  onTestFinished(() => rm(outside, { recursive: true }))
  const secret = join(outside, 'secret')
  await writeFile(secret, '')
  const tree = join(folder, 'tree')
  await mkdir(join(tree, 'inner'), { recursive: true })
  await writeFile(join(tree, 'inner/file'), '')
  await symlink(secret, join(tree, 'link'))
  await symlink(outside, join(tree, 'folder'))
  await giveTree(tree)
  for (const path of [tree, join(tree, 'inner'), join(tree, 'inner/file')])
    expect(await ownerOf(path)).toEqual([service, service])
  for (const path of [secret, outside]) expect(await ownerOf(path)).toEqual([0, 0])
})

/** A file of a share that refuses to change owners. */
const fixedFile = (uid: number) => ({
  chown: async () => {
    throw Object.assign(new Error('EPERM: operation not permitted, fchown'), { code: 'EPERM' })
  },
  stat: (async () => ({ uid })) as never,
})

test.runIf(isRoot)(
  'MichaIng/DietPi#6780 what root creates on a share that maps root to another user is refused with the remedy',
  async () => {
    const folder = await foreignFolder()
    const giving = giveFile(fixedFile(65_534), folder)
    await expect(giving).rejects.toThrow(PlaceFault)
    await expect(giving).rejects.toThrow(`(root_squash). Run the command as the user ${service}`)
    await expect(giveFile(fixedFile(0), folder)).rejects.toThrow(
      `without CAP_CHOWN. Run the command as the user ${service}`,
    )
    // A mount with one owner for all files, as of CIFS or vfat.
    await giveFile(fixedFile(service), folder)
  },
)

test('a folder in a folder of the same user belongs to that user', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'pult-owner-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await createOwnedFolder(join(folder, 'one/two'))
  expect(await ownerOf(join(folder, 'one/two'))).toEqual(await ownerOf(folder))
})
