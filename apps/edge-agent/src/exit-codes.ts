/** Exit codes of the agent. Codes below 64 justify a restart, all others do not. */
export const exitCodes = {
  stopped: 0,
  fault: 1,
  /** Wrong arguments. */
  usage: 64,
  /** Used only between the two processes of the agent: restart the worker. */
  restart: 75,
  /** The server refuses the code, and a user sees it on a terminal. */
  refused: 77,
  /** The settings or the state cannot be read or written. */
  settings: 78,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Ends the agent with a message for the user. */
export class Failure extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Whether a repetition may succeed without any action of a user. */
export const isPassing = (error: unknown): boolean =>
  error instanceof Failure && error.exitCode === exitCodes.fault
