import type { Environment } from './installation.ts'

/** Writes a line to the standard output. */
export type Print = (line: string) => void

/** Ends a command with its own exit code, for scripts that distinguish reasons. */
export class CommandFailure extends Error {
  readonly exitCode: number

  constructor(exitCode: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.exitCode = exitCode
  }
}

export interface CommandContext {
  environment: Environment
  print: Print
}

export interface Command {
  name: string
  /** One line, for the list of commands. */
  summary: string
  help: string
  /** Parses the arguments. Throws a one-line error that names the invalid one. */
  read(args: string[]): (context: CommandContext) => Promise<void>
}
