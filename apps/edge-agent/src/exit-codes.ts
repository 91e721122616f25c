/** What the agent's end says, for whoever starts it. Those below 64 are worth another try, all others are not. */
export const exitCodes = {
  stopped: 0,
  fault: 1,
  /** Wrong arguments. */
  usage: 64,
  /** Another agent has taken this edge's place. */
  replaced: 69,
  /** Between the two processes of the agent alone: start the second one anew. */
  restart: 75,
  /** The server speaks another version of the protocol. */
  protocol: 76,
  /** The code or the token is not valid. */
  refused: 77,
  /** The settings or the state cannot be read or written. */
  settings: 78,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Ends the agent with a message for people. */
export class Failure extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, message: string) {
    super(message)
    this.exitCode = exitCode
  }
}
