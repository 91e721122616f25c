import { readFile } from 'node:fs/promises'
import type { Build } from '@pult/contract'
import manifest from '../../package.json' with { type: 'json' }

/** The build information that the console's build has written. */
export async function readBuild(consoleFolder: string): Promise<Build> {
  try {
    return JSON.parse(await readFile(`${consoleFolder}/build.json`, 'utf8')) as Build
  } catch {
    return { version: manifest.version, timestamp: new Date(0).toISOString(), commit: 'unknown' }
  }
}
