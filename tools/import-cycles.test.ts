import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Runs the lint step on two files and returns its output. */
async function lint(names: [string, string], first: string, second: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-cycles-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, names[0]), first)
  await writeFile(join(folder, names[1]), second)
  const oxlint = join(root, 'node_modules/.bin/oxlint')
  const args = ['--config', join(root, '.oxlintrc.json'), '--deny-warnings', folder]
  return spawnSync(oxlint, args, { cwd: folder, encoding: 'utf8' }).stdout
}

const first = "import type { B } from './b.ts'\nexport interface A { b: B }\n"
const second = "import type { A } from './a.ts'\nexport interface B { a: A }\n"

test('the lint step rejects two files that import each other, even if they import only types', async () => {
  expect(await lint(['a.ts', 'b.ts'], first, second)).toContain('no-cycle')
})

test('the lint step accepts a translation that takes its type from the texts that merge it', async () => {
  const de =
    "import { en } from './a.texts.en.ts'\nexport const de = { title: '' }\nexport const all = { de, en }\n"
  const en = "import type { de } from './a.texts.ts'\nexport const en: Partial<typeof de> = {}\n"
  expect(await lint(['a.texts.ts', 'a.texts.en.ts'], de, en)).not.toContain('no-cycle')
})
