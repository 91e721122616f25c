/** How an operator writes a command of the command line: the script of the archive names itself, a clone has npm. */
export const pult = (command: string): string =>
  `${process.env['PULT_COMMAND'] || 'npm run pult --'} ${command}`
