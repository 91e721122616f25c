import { execFile } from 'node:child_process'
import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../installation.ts'
import { freePort, plainEnvironment, startProcess, waitUntilFree } from '../processes.ts'
import type { Row } from '../table.ts'
import type { Workbench } from '../workbench.ts'

const execute = promisify(execFile)

/**
 * What somebody does who has just heard of Pult: clone, install, start. The clone is of the last commit, npm's cache is
 * empty, and npm is the one of the machine.
 */
export async function measureInstall({ folder }: Workbench): Promise<Row[]> {
  const clone = join(folder, 'clone')
  const port = await freePort()
  const env = plainEnvironment({
    npm_config_cache: join(folder, 'npm-cache'),
    PORT: String(port),
    PULT_DATA: join(folder, 'clone-data'),
    TMPDIR: folder,
  })
  const seconds = async (program: string, args: string[], cwd: string) => {
    const begin = performance.now()
    await execute(program, args, { cwd, env, timeout: 600_000, maxBuffer: 1 << 24 })
    return (performance.now() - begin) / 1000
  }

  const cloning = await seconds('git', ['clone', '--quiet', `file://${root}`, clone], folder)
  const installing = await seconds('npm', ['ci'], clone)
  const size = await sizeOf(join(clone, 'node_modules'))
  const pult = await startProcess({
    program: 'npm',
    args: ['start'],
    cwd: clone,
    env,
    ready: /^Pult \S+ is ready/,
    timeoutSeconds: 300,
    interactive: true,
  })
  await pult.stop()
  await waitUntilFree(port)
  await rm(clone, { recursive: true })

  const toReady = cloning + installing + pult.readyAfter / 1000
  return [
    { name: 'npm ci, empty cache', unit: 's', ours: [installing], note: 'downloads included' },
    { name: 'node_modules', unit: 'MB', ours: [size / 1e6] },
    {
      name: 'fresh clone to ready',
      unit: 's',
      ours: [toReady],
      bar: { kind: 'at most', value: 90 },
      note: 'clone, npm ci, build of the console, first start',
    },
  ]
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0
  for (const name of await readdir(folder, { recursive: true })) {
    const info = await lstat(join(folder, name))
    if (info.isFile()) bytes += info.size
  }
  return bytes
}
