/** The latest lines, for diagnostics. */
const kept: string[] = []
const keptMost = 50

/** Writes a line for the journal. */
export function say(line: string): void {
  kept.push(`${new Date().toISOString()} ${line}`)
  if (kept.length > keptMost) kept.shift()
  console.log(line)
}

export const lastLines = (): readonly string[] => kept
