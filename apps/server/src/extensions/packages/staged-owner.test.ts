import { chown, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeExtension } from '@pult/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { stagePackage } from './staging.ts'

test.runIf(process.getuid?.() === 0)(
  'restic#5731 borg#1869 an extension that root installs belongs to the user of the data folder',
  async () => {
    const [data, given] = [
      await mkdtemp(join(tmpdir(), 'pult-data-')),
      await mkdtemp(join(tmpdir(), 'pult-given-')),
    ]
    onTestFinished(async () => {
      for (const folder of [data, given]) await rm(folder, { recursive: true })
    })
    await chown(data, 23_456, 23_457)
    await writeExtension(given, { manifest: { id: 'reports', version: '1.1.0' } })
    const { place, discard } = await stagePackage(
      { installed: join(data, 'extensions'), console: null },
      { folder: given },
    )
    await place(async () => {})
    await discard()
    const made = await readdir(data, { recursive: true })
    expect(made).toContain('extensions/reports@1.1.0/manifest.json')
    for (const path of made) expect(await stat(join(data, path))).toMatchObject({ uid: 23_456, gid: 23_457 })
  },
)
