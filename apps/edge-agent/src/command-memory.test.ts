import { mkdir, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCommandMemory } from './command-memory.ts'
import { temporaryFolder } from './testing/temporary-folder.ts'

test('a command that could not be saved is new when it is repeated', async () => {
  const folder = await temporaryFolder()
  const memory = createCommandMemory(folder)
  const blocked = join(folder, 'commands.json.next')
  await mkdir(blocked)
  await expect(memory.begin('one', 'run')).rejects.toThrow()
  await rmdir(blocked)
  expect(await memory.begin('one', 'run')).toBeUndefined()
  expect(await memory.begin('one', 'run')).toMatchObject({ id: 'one' })
})
