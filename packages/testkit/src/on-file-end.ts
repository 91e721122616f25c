type CleanUp = () => unknown

const cleanUps: CleanUp[] = []

/**
 * Registers a clean-up for the end of the test file; the newest runs first. `afterAll` in a shared module would run for
 * the first file only, because the test files of a worker share their modules.
 */
export function onFileEnd(cleanUp: CleanUp): void {
  cleanUps.push(cleanUp)
}

export async function endFile(): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
}
