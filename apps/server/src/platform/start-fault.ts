/** EX_CONFIG of sysexits.h: the operator must change something, so process managers must not restart the server. */
export const exitCodeOfFaults = 78

/** Codes of file systems for causes that only the operator can remove. Others pass, such as a mount that comes late. */
const lastingCodes: ReadonlySet<unknown> = new Set([
  'EACCES',
  'EEXIST',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOTDIR',
  'EPERM',
  'EROFS',
])

const isLasting = (error: unknown): boolean =>
  error instanceof Error &&
  (error instanceof StartFault || ('code' in error && lastingCodes.has(error.code)) || isLasting(error.cause))

/** Returns the error of a start that cannot use a file or folder: a StartFault if no repetition can repair it. */
export const fileFault = (message: string, cause: unknown): Error =>
  isLasting(cause) ? new StartFault(message, { cause }) : new Error(message, { cause })

/** Ends a start that no repetition can repair, with one line that names the cause and the remedy. */
export class StartFault extends Error {
  readonly exitCode = exitCodeOfFaults
  override name = 'StartFault'
}
