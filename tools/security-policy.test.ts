import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import { root } from './steps.ts'

test('SECURITY.md names the current minor version as the supported one', async () => {
  const policy = await readFile(join(root, 'SECURITY.md'), 'utf8')
  expect(policy).toContain(`the latest minor version (${manifest.version.split('.', 2).join('.')})`)
})
