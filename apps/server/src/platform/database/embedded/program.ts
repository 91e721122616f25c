import { spawn } from 'node:child_process'
import type { ServerUser } from './server-user.ts'

export interface ProgramResult {
  succeeded: boolean
  stdout: string
  stderr: string
}

export interface ProgramOptions {
  user?: ServerUser | undefined
  input?: string
}

/** initdb takes under a second; on a slow card some ten. */
const programTimeout = 120_000

/** Runs a program to its end. One that can't be started or hangs is a failure with its reason in `stderr`. */
export async function runProgram(
  file: string,
  args: string[],
  { user, input = '' }: ProgramOptions = {},
): Promise<ProgramResult> {
  const child = spawn(file, args, {
    ...asUser(user),
    cwd: '/',
    env: programEnvironment(),
    stdio: 'pipe',
    timeout: programTimeout,
    killSignal: 'SIGKILL',
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  // A program that ends without reading its input is judged by its exit code.
  child.stdin.on('error', () => {})
  child.stdin.end(input)

  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ succeeded: false, stdout, stderr: error.message }))
    child.once('close', (code, signal) => {
      const reason = signal === null ? stderr : `${stderr}\nended by ${signal}`
      resolve({ succeeded: code === 0, stdout, stderr: reason.trim() })
    })
  })
}

export const asUser = (user: ServerUser | undefined) =>
  user === undefined ? {} : { uid: user.uid, gid: user.gid }

/**
 * PGDATA, PGPORT and the like of the caller's shell must not reach the server, and its messages are English whatever
 * the caller speaks.
 */
export function programEnvironment(): Record<string, string> {
  const libraryPath = process.env['LD_LIBRARY_PATH']
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(libraryPath !== undefined && { LD_LIBRARY_PATH: libraryPath }),
  }
}

/** The last line that says something, for an error of one line. */
export const lastLine = (text: string) => text.trim().split('\n').at(-1)?.trim() ?? ''
