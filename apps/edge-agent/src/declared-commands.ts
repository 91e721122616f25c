import { type EdgeArguments, type EdgeDeclaration, isWithin, refusedArgument } from '@pult/contract'
import { runProgram } from './run-program.ts'

/** A command as the server knows it, and the program that it starts. */
export interface ConfiguredCommand {
  declaration: EdgeDeclaration
  run: string[]
  seconds: number
}

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

/** Placeholders at the start of an argument. */
const leading = new RegExp(`^(?:${placeholder.source})+`)

/**
 * Returns the text parameter whose value would make the program take an argument as an option. Behind `--` a program
 * has no options. Choices and defaults are texts of the settings.
 */
function optionIn(
  run: readonly string[],
  { parameters }: EdgeDeclaration,
  values: ReadonlyMap<string, string>,
): string | undefined {
  const end = run.indexOf('--')
  for (const argument of end === -1 ? run : run.slice(0, end))
    for (const [, name = ''] of (leading.exec(argument)?.[0] ?? '').matchAll(placeholder)) {
      const value = values.get(name) ?? ''
      const isGiven = parameters.some(
        (one) => one.key === name && one.type === 'string' && one.default !== value,
      )
      if (isGiven && value.startsWith('-')) return name
      if (value !== '') break
    }
  return undefined
}

/** Runs the commands that the settings of this agent declare. It cannot execute any other command. */
export function createDeclaredCommands(
  configured: readonly ConfiguredCommand[],
  environment: Readonly<Record<string, string>> = {},
) {
  const stopping = new AbortController()

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
          String(Object.hasOwn(given, parameter.key) ? given[parameter.key] : parameter.default),
        ]),
      )
      const option = optionIn(run, declaration, values)
      if (option !== undefined)
        throw new Error(
          `The value ${option} begins with a dash, so the program would take it as an option. In the settings of the agent, put "--" before {${option}} or name the option, as in "--${option}={${option}}"`,
        )
      const program = run.map((argument) =>
        argument.replace(placeholder, (_all, name: string) => values.get(name) ?? ''),
      )
      const named = [...values].map(([name, value]): [string, string] => [
        `PULT_${name.toUpperCase().replaceAll('-', '_')}`,
        value,
      ])
      const { lines, reason } = await runProgram(program, {
        timeout: seconds * 1000,
        env: { ...environment, ...Object.fromEntries(named) },
        leavesProcesses: true,
        signal: stopping.signal,
      })
      for (const line of lines) onLine(line)
      if (reason !== undefined) throw new Error(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}`)
      return `${declaration.label}: done.`
    },

    /** Kills the programs that are still running. */
    stop: (): void => stopping.abort(),
  }
}
export type DeclaredCommands = ReturnType<typeof createDeclaredCommands>
