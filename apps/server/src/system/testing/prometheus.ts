import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '@pult/testkit'
import { onTestFinished } from 'vitest'

const run = promisify(execFile)

/** Milliseconds. A network that does not answer counts as missing. */
const downloadLimit = 60_000

export interface PrometheusPrograms {
  prometheus: string
  promtool: string
}

/** Returns the programs of Prometheus, if necessary from Debian's package, or the reason why they are missing. */
export async function findPrometheus(
  folder: string,
  { mayDownload }: { mayDownload: boolean },
): Promise<PrometheusPrograms | { reason: string }> {
  const installed = { prometheus: 'prometheus', promtool: 'promtool' }
  const isInstalled = await Promise.all(
    Object.values(installed).map((program) =>
      run(program, ['--version']).then(
        () => true,
        () => false,
      ),
    ),
  )
  if (isInstalled.every(Boolean)) return installed
  if (!mayDownload) return { reason: 'Prometheus is not installed; npm run test:long downloads it' }
  try {
    // Neither step needs root or changes the machine.
    await run('apt-get', ['download', 'prometheus', '-o', 'Acquire::Retries=0'], {
      cwd: folder,
      timeout: downloadLimit,
    })
    const packed = (await readdir(folder)).find((name) => name.endsWith('.deb')) ?? ''
    await run('dpkg-deb', ['--extract', packed, 'package'], { cwd: folder })
    const programs = join(folder, 'package/usr/bin')
    return { prometheus: join(programs, 'prometheus'), promtool: join(programs, 'promtool') }
  } catch (error) {
    const cause = error instanceof Error ? error.message.trim() : String(error)
    return { reason: `Prometheus is not installed and its Debian package cannot be downloaded: ${cause}` }
  }
}

/** Starts Prometheus for a test. Returns a function that calls its API. */
export async function startPrometheus(program: string, config: string, folder: string) {
  const port = await freePort()
  const child = spawn(
    program,
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'series')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  return async (path: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    return (await answer.json()) as { status: string; data?: unknown }
  }
}
