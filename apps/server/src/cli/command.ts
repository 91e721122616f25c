import type { Environment } from './installation.ts'

/** Writes a line to the standard output. */
export type Say = (line: string) => void

export interface CommandContext {
  environment: Environment
  say: Say
}

export interface Command {
  name: string
  /** One line, for the list of commands. */
  summary: string
  help: string
  /** Reads the arguments, or throws an error of one line that says what is wrong with them. */
  read(args: string[]): (context: CommandContext) => Promise<void>
}
