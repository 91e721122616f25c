/**
 * Whether the user cancelled the step-up authentication that a call asked for: nothing failed, so there is nothing to
 * report.
 *
 * @example catch (error) { if (!isCancelled(error)) notify({ title: 'Saving failed', error }) }
 */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === 'Cancelled'
}
