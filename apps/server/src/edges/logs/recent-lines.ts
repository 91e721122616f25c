export interface LogLines {
  /** Number of the first line; without lines, the number of the next line. */
  first: number
  lines: string[]
  /** Number of the first line that the edge still has. */
  oldest: number
}

/** Maximum characters and lines that are cached of one log. More than one answer of an agent. */
const charactersMost = 200_000
const linesMost = 4000

/** An answer with fewer characters and lines contains all lines of the edge. */
const wholeCharacters = 12_000
const wholeLines = 900

/** Caches the newest lines of one log for several readers. The first reader has all lines up to `from`. */
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

    /** Adds the newest lines of the edge. They replace the cached lines if they do not follow them. */
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

    /** Returns whether the edge may have lines that this reader needs and no earlier reader needed. */
    lacks: (after: number) =>
      addedAt !== undefined &&
      after + 1 < first &&
      oldest < first &&
      characters < wholeCharacters &&
      lines.length < wholeLines,

    /** Returns the lines after a number. A reader that is ahead of the edge receives all lines. */
    after(number: number): LogLines {
      const found = lines.slice(number >= next() ? 0 : Math.max(0, number + 1 - first))
      return { first: next() - found.length, lines: found, oldest }
    },
  }
}
export type RecentLines = ReturnType<typeof createRecentLines>
