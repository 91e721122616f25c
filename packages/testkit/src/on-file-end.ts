type CleanUp = () => unknown

const cleanUps: CleanUp[] = []

/**
 * Registers a clean-up for the end of the test file, in last-in, first-out order. `afterAll` in a shared module would
 * run only for the first file, because the files of a worker share modules.
 */
export function onFileEnd(cleanUp: CleanUp): void {
  cleanUps.push(cleanUp)
}

export async function endFile(): Promise<void> {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp()
}
