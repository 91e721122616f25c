/**
 * Returns whether the user cancelled the step-up authentication that a call required. Such an error needs no report.
 *
 * @example catch (error) { if (!isCancelled(error)) notify({ title: 'Saving failed', error }) }
 */
export function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === 'Cancelled'
}
