/** `canRetry` is true for failed fetches. Code that ran and failed fails again. */
export class LoadingError extends Error {
  readonly canRetry: boolean
  constructor(message: string, canRetry: boolean) {
    super(message)
    this.canRetry = canRetry
  }
}
