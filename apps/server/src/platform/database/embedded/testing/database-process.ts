import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { EmbeddedDatabase } from '../embedded-database.ts'

const program = fileURLToPath(new URL('database-user.ts', import.meta.url))

export interface ProcessOptions {
  /** Inserts rows one after another and records the acknowledged ones. */
  writes?: boolean
  uid?: number
  env?: Record<string, string>
}

/** Starts another process that uses the database of a folder. */
export function startProcess(dataFolder: string, { writes = false, uid, env }: ProcessOptions = {}) {
  const child = spawn(process.execPath, [program, dataFolder, writes ? 'write' : 'wait'], {
    ...(uid !== undefined && { uid, gid: uid }),
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    // A separate process group, to send it the signals of a terminal.
    detached: true,
    cwd: '/',
  })
  child.stdin.on('error', () => {})
  const lines: string[] = []
  const acknowledged: number[] = []
  const ready = new Promise<EmbeddedDatabase['connection']>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const word = line.slice(0, line.indexOf(' '))
      const rest = line.slice(word.length + 1)
      if (word === 'ready') resolve(JSON.parse(rest) as EmbeddedDatabase['connection'])
      else if (word === 'failed') reject(new Error(rest))
      else if (word === 'wrote') acknowledged.push(Number(rest))
      else lines.push(rest)
    })
    child.once('exit', () => reject(new Error('ended before it was ready')))
  })
  // The caller may not be waiting for the result.
  ready.catch(() => {})
  const ended = new Promise<number | null>((resolve) => {
    child.once('close', resolve)
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })

  return {
    ready,
    ended,
    lines,
    acknowledged,
    kill: (signal: NodeJS.Signals = 'SIGKILL') => child.kill(signal),
    killGroup: (signal: NodeJS.Signals) => signalGroup(child, signal),
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid !== undefined) process.kill(-child.pid, signal)
}

export async function postmasterPid(dataFolder: string): Promise<number> {
  const text = await readFile(join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8')
  return Number(text.split('\n')[0])
}
