import { spawn } from 'node:child_process'
import { type EdgeArguments, type EdgeDeclaration, isWithin, refusedArgument } from '@pult/contract'
import { printable } from './report.ts'

/** A command as the server knows it, and the program that it starts. */
export interface ConfiguredCommand {
  declaration: EdgeDeclaration
  run: string[]
  seconds: number
}

/** Maximum number of last output lines that the server receives, and of characters in each. */
const linesMost = 40
const lineMost = 400

/** A placeholder in an argument of a program. */
const placeholder = /\{([a-z][a-z0-9-]{0,63})\}/g

/** Maximum size of all declarations as JSON, in bytes, because each report carries them. */
const declarationBytesMost = 12_000

/** @throws {Error} naming the command and the mistake in its declaration. */
export function checkCommands(commands: readonly ConfiguredCommand[]): void {
  for (const { declaration, run } of commands) {
    const { key, parameters } = declaration
    for (const parameter of parameters) {
      const named = `the parameter ${parameter.key} of the command ${key}`
      if (parameter.type === 'number' && parameter.min > parameter.max)
        throw new Error(`${named} has a minimum above its maximum`)
      if (parameter.default !== undefined && !isWithin(parameter, parameter.default))
        throw new Error(`${named} has a default outside its limits`)
    }
    // `search` ignores the position that `test` would keep between two calls.
    if ((run[0] ?? '').search(placeholder) !== -1)
      throw new Error(`the program of the command ${key} depends on a parameter`)
    for (const argument of run)
      for (const [, name] of argument.matchAll(placeholder))
        if (!parameters.some((parameter) => parameter.key === name))
          throw new Error(`the command ${key} has no parameter ${name}`)
  }
  const bytes = Buffer.byteLength(JSON.stringify(commands.map(({ declaration }) => declaration)))
  if (bytes > declarationBytesMost)
    throw new Error(
      `the declarations of commands have ${bytes} bytes; at most ${declarationBytesMost} are allowed`,
    )
}

const problems = {
  missing: 'is missing',
  unknown: 'is not declared',
  outOfBounds: 'is outside its limits',
} as const

/** Runs the commands that the settings of this agent declare. It cannot execute any other command. */
export function createDeclaredCommands(configured: readonly ConfiguredCommand[]) {
  const children = new Set<() => void>()

  return {
    report: (): EdgeDeclaration[] => configured.map(({ declaration }) => declaration),

    /** Starts the program of a command. @throws {Error} with a message for the user. */
    async run(key: string, given: EdgeArguments, onLine: (line: string) => void): Promise<string> {
      const command = configured.find(({ declaration }) => declaration.key === key)
      if (command === undefined)
        throw new Error(`The settings of the agent do not declare the command ${key}`)
      const { declaration, run, seconds } = command
      const refused = refusedArgument(declaration, given)
      if (refused !== undefined) throw new Error(`The value ${refused.key} ${problems[refused.problem]}`)
      const values = new Map(
        declaration.parameters.map((parameter) => [
          parameter.key,
          String(given[parameter.key] ?? parameter.default),
        ]),
      )
      const program = run.map((argument) =>
        argument.replace(placeholder, (_all, name: string) => values.get(name) ?? ''),
      )
      const env = Object.fromEntries(
        [...values].map(([name, value]) => [`PULT_${name.toUpperCase().replaceAll('-', '_')}`, value]),
      )
      await start(program, { seconds, env, onLine, children })
      return `${declaration.label}: done.`
    },

    /** Kills the programs that are still running. */
    stop(): void {
      for (const kill of children) kill()
    },
  }
}
export type DeclaredCommands = ReturnType<typeof createDeclaredCommands>

interface Started {
  seconds: number
  env: Record<string, string>
  onLine: (line: string) => void
  children: Set<() => void>
}

/** Runs a program without a shell, as its own process group. The group is killed when the program ends or times out. */
function start(
  [file = '', ...args]: readonly string[],
  { seconds, env, onLine, children }: Started,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      detached: true,
      windowsHide: true,
    })
    const lines: string[] = []
    const kill = () => {
      try {
        process.kill(-(child.pid ?? Number.NaN), 'SIGKILL')
      } catch {
        child.kill('SIGKILL')
      }
    }
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      kill()
      // A process that has left the group would keep the output open.
      child.stdout.destroy()
      child.stderr.destroy()
    }, seconds * 1000)
    const settle = (error?: Error) => {
      clearTimeout(timer)
      children.delete(kill)
      for (const line of lines) onLine(line)
      if (error === undefined) resolve()
      else reject(error)
    }
    children.add(kill)
    for (const stream of [child.stdout, child.stderr])
      readLines(stream, (line) => {
        lines.push(line)
        if (lines.length > linesMost) lines.shift()
      })
    child.on('error', (error) => settle(error))
    child.on('close', (code, signal) => {
      if (isLate) settle(new Error(`It took longer than ${seconds} s`))
      else if (code === 0) settle()
      else settle(new Error(code === null ? `It was killed by ${signal}` : `It exited with code ${code}`))
    })
  })
}

/** Cuts a stream into lines and drops the rest of long ones. */
function readLines(stream: NodeJS.ReadableStream, onLine: (line: string) => void): void {
  let rest = ''
  const add = (text: string) => {
    const line = printable(text.trim(), lineMost).trim()
    if (line !== '') onLine(line)
  }
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = (parts.pop() ?? '').slice(0, lineMost)
    for (const part of parts) add(part)
  })
  stream.on('end', () => add(rest))
}
