/** EX_CONFIG of sysexits.h: the operator must change something, so process managers must not restart the server. */
export const exitCodeOfFaults = 78

/** Ends a start that no repetition can repair, with one line that names the cause and the remedy. */
export class StartFault extends Error {
  readonly exitCode = exitCodeOfFaults
  override name = 'StartFault'
}
