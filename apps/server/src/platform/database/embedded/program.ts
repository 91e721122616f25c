import { spawn } from 'node:child_process'
import { endOf } from '#platform/child-end.ts'

export interface ProgramResult {
  succeeded: boolean
  stdout: string
  stderr: string
}

/** The user that runs PostgreSQL when this process is root: PostgreSQL refuses to run as root. */
export interface ServerUser {
  name: string
  uid: number
  gid: number
}

export interface ProgramOptions {
  user?: ServerUser | undefined
  input?: string
}

/** initdb takes less than a second, or about ten on slow storage. */
const programTimeout = 120_000

/** Runs a program to its end. If it cannot start or hangs, the result is a failure with the reason in `stderr`. */
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
  })
  // The time limit of `spawn` would keep this process running after a program that could not start.
  const late = setTimeout(() => child.kill('SIGKILL'), programTimeout)
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

  try {
    const { code, signal } = await endOf(child)
    const reason = signal === null ? stderr : `${stderr}\nended by ${signal}`
    return { succeeded: code === 0, stdout, stderr: reason.trim() }
  } catch (error) {
    return { succeeded: false, stdout, stderr: error instanceof Error ? error.message : String(error) }
  } finally {
    clearTimeout(late)
  }
}

export const asUser = (user: ServerUser | undefined) =>
  user === undefined ? {} : { uid: user.uid, gid: user.gid }

/** Removes PGDATA, PGPORT and similar variables of the caller's shell, and sets the messages to English. */
export function programEnvironment(): Record<string, string> {
  const libraryPath = process.env['LD_LIBRARY_PATH']
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(libraryPath !== undefined && { LD_LIBRARY_PATH: libraryPath }),
  }
}

/** Returns the last meaningful line of the output, for a one-line error. */
export const lastLine = (text: string) => text.trim().split('\n').at(-1)?.trim() ?? ''
