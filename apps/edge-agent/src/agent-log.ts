/** The latest lines, for diagnostics. */
const kept: string[] = []
const keptMost = 50

/** Writes a line to stdout, for the journal, and keeps it for diagnostics. */
export function writeLog(line: string): void {
  kept.push(`${new Date().toISOString()} ${line}`)
  if (kept.length > keptMost) kept.shift()
  console.log(line)
}

export const lastLines = (): readonly string[] => kept
