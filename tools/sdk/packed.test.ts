import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sized } from '../../packages/testkit/src/test-length.ts'
import { root } from '../steps.ts'
import { thirdPartyTool } from '../third-party/third-party-tool.ts'
import { packSdk } from './pack.ts'

/** Packs into a folder below the project, where the compiler finds the packages that the sources import. */
async function packed() {
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'pult-packed-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return packSdk(folder)
}

test('npm accepts the manifest of the generator unchanged, which names the published folders', () => {
  const { bin, files } = JSON.parse(
    readFileSync(join(root, 'packages/create-pult-extension/package.json'), 'utf8'),
  ) as { bin: unknown; files: unknown }
  expect(bin).toEqual({ 'create-pult-extension': 'src/create.mjs' })
  expect(files).toEqual(['src', 'template'])
})

const mayRun = sized(false, true)

test('publint finds nothing in the packed SDK and in the packed generator', {
  tags: ['long'],
}, async ({ skip }) => {
  const publint = await thirdPartyTool('publint', { mayRun })
  if ('reason' in publint) return skip(publint.reason)
  for (const archive of Object.values(await packed())) {
    const { code, stdout } = await publint.run([archive, '--strict'])
    expect([code, stdout], archive).toEqual([0, expect.stringContaining('All good!')])
  }
})

test('attw finds nothing in the types of the packed SDK', { tags: ['long'] }, async ({ skip }) => {
  const attw = await thirdPartyTool('attw', { mayRun })
  if ('reason' in attw) return skip(attw.reason)
  const { sdk } = await packed()
  // The package has ES modules only, and styles have no types. The generator is a program without types.
  const scope = ['--profile', 'esm-only', '--exclude-entrypoints', 'styles.css']
  const { code, stdout, stderr } = await attw.run([sdk, ...scope])
  expect(code, stdout + stderr).toBe(0)
})
