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
/** The oldest major version of Node that runs the agent. */
const neededNode = 22
const sources = ['apps/edge-agent/src', 'packages/contract/src']

/** Runs before any other module of Node is loaded. Exit code 78: the service must not restart. */
const banner = `#!/usr/bin/env node
// The agent of an edge of Pult: node edge-agent.mjs --help
import { createRequire } from 'module'
import { fileURLToPath } from 'url'
if (parseInt(process.versions.node, 10) < ${neededNode}) {
  console.error('The agent needs Node ${neededNode} or later, this is ' + process.versions.node + '. Install a newer one from https://nodejs.org')
  process.exit(78)
}
const require = createRequire(import.meta.url)
const __filename = fileURLToPath(import.meta.url)`

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
  const built = await build({
    input: join(root, 'apps/edge-agent/src/main.ts'),
    platform: 'node',
    // Two optional native helpers of the socket library.
    external: ['@elgato-stream-deck/node', 'bufferutil', 'utf-8-validate'],
    logLevel: 'warn',
    // Syntax that old versions of Node reject would hide the message of the banner.
    transform: { target: 'node12' },
    // CommonJS loads the modules of Node when it runs, after the banner.
    output: { format: 'cjs', codeSplitting: false },
    write: false,
  })
  const [file] = built.output
  await writeFile(join(output, 'edge-agent.mjs'), `${banner}\n${file.code}`)
  await writeFile(stamp, await fingerprint())
}

async function fingerprint(): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of sources) {
    const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true })
    const paths = entries
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath, entry.name))
    if (folder === 'apps/edge-agent/src')
      paths.push(join(root, 'apps/edge-agent/package.json'), fileURLToPath(import.meta.url))
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
