import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

/** Creates a folder that all users may pass through. It is removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await makeFolder()
  // Callbacks run in reverse order: the database that uses it is stopped first.
  onTestFinished(() => removeFolder(folder))
  return folder
}

/** One folder for all tests of a file, so that they share one database. */
export function sharedFolder(): { path: string } {
  const shared = { path: '' }
  beforeAll(async () => {
    shared.path = await makeFolder()
  })
  afterAll(() => removeFolder(shared.path))
  return shared
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-embedded-'))
  await chmod(folder, 0o755)
  return folder
}

const removeFolder = (folder: string) =>
  rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
