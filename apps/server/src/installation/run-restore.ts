import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endOf } from '#platform/child-end.ts'
import type { RestoreOrder } from './setup-restore.ts'

const cli = fileURLToPath(new URL('../cli.ts', import.meta.url))

/** Runs `pult restore`. Returns null, or the reason of a failure, after which the former data remains. */
export async function runRestore(
  environment: Record<string, string | undefined>,
  { archive, key }: RestoreOrder,
): Promise<string | null> {
  // The key is passed through a pipe, never in a file or an argument.
  const child = spawn(process.execPath, [cli, 'restore', archive, '--identity', '-'], {
    env: environment,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  // The command may end before it reads the key.
  child.stdin.on('error', () => {})
  child.stdin.end(key)
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-10_000)
  })
  try {
    const { code } = await endOf(child)
    if (code === 0) return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  const lastLine = output.trim().split('\n').at(-1)
  return lastLine?.replace(/^pult: /, '') ?? ''
}
