interface LoggedError {
  type: string
  message: string
  code?: string
  at: string[]
  cause?: LoggedError
}

/** An allowlist: of an error only its kind, its cleaned message and its code locations are logged. */
export declare function errorFields(error: unknown): LoggedError
