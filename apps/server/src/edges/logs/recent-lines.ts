export interface LogLines {
  /** Number of the first line. Without lines that of the next one. */
  first: number
  lines: string[]
  /** Number of the first line that the edge still has. */
  oldest: number
}

/** Characters and lines that are held of one log; more than one answer of an agent. */
const charactersMost = 200_000
const linesMost = 4000

/** With fewer characters and lines an answer contains all that the edge has. */
const wholeCharacters = 12_000
const wholeLines = 900

/** The newest lines of one log, for several readers. The first one has the lines up to `from`. */
export function createRecentLines(from: number) {
  let first = from + 1
  let lines: string[] = []
  let characters = 0
  let oldest = 0
  let addedAt: number | undefined

  const next = () => first + lines.length

  return {
    /** Number of the last line. */
    last: () => next() - 1,

    /** Milliseconds since lines were added. */
    age: () => (addedAt === undefined ? Number.POSITIVE_INFINITY : performance.now() - addedAt),

    /** Adds the newest lines of the edge. They replace those that they do not follow. */
    add(answer: LogLines): void {
      oldest = answer.oldest
      addedAt = performance.now()
      if (answer.first !== next()) {
        first = answer.first
        lines = []
        characters = 0
      }
      lines.push(...answer.lines)
      for (const line of answer.lines) characters += line.length
      let dropped = 0
      while (characters > charactersMost || lines.length - dropped > linesMost)
        characters -= lines[dropped++]?.length ?? 0
      lines.splice(0, dropped)
      first += dropped
    },

    /** Whether the edge may have lines for a reader that another one did not need. */
    lacks: (after: number) =>
      addedAt !== undefined &&
      after + 1 < first &&
      oldest < first &&
      characters < wholeCharacters &&
      lines.length < wholeLines,

    /** The lines after one. A reader that has later ones than the edge receives all. */
    after(number: number): LogLines {
      const found = lines.slice(number >= next() ? 0 : Math.max(0, number + 1 - first))
      return { first: next() - found.length, lines: found, oldest }
    },
  }
}
export type RecentLines = ReturnType<typeof createRecentLines>
