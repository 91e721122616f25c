import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/*
 * Builds the edge agent into one file that runs on any machine with Node. The driver of Stream Decks is not included,
 * because it is native and optional.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const output = join(root, 'dist/edge-agent')
const stamp = join(output, '.sources')
const sources = ['apps/edge-agent/src', 'packages/contract/src']

/** Returns whether the last build matches the current sources. */
export async function isEdgeAgentBuilt(): Promise<boolean> {
  return (await readFile(stamp, 'utf8').catch(() => '')) === (await fingerprint())
}

/** Builds the agent when its sources differ from those of the last build. */
export async function buildEdgeAgent(): Promise<void> {
  if (await isEdgeAgentBuilt()) return
  console.log('Building the edge agent …')
  const { build } = await import('rolldown')
  await mkdir(output, { recursive: true })
  await build({
    input: join(root, 'apps/edge-agent/src/main.ts'),
    platform: 'node',
    // Two optional native helpers of the socket library.
    external: ['@elgato-stream-deck/node', 'bufferutil', 'utf-8-validate'],
    logLevel: 'warn',
    output: {
      file: join(output, 'edge-agent.mjs'),
      format: 'esm',
      codeSplitting: false,
      banner: '#!/usr/bin/env node\n// The agent of an edge of Pult: node edge-agent.mjs --help',
    },
  })
  await writeFile(stamp, await fingerprint())
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of sources) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
    const paths = entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
    if (folder === 'apps/edge-agent/src') paths.push(join(root, 'apps/edge-agent/package.json'))
    for (const path of paths.toSorted())
      hash.update(`${path.slice(root.length)}\n`).update(await readFile(path))
  }
  return hash.digest('hex')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildEdgeAgent()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    console.error(`The edge agent could not be built: ${reason}`)
    process.exit(1)
  }
}
