/**
 * Returns a command as an operator types it. The script of the archive names itself in PULT_COMMAND; a clone uses npm.
 */
export const pult = (command: string): string =>
  `${process.env['PULT_COMMAND'] || 'npm run pult --'} ${command}`
