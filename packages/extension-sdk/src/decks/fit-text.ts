/** The lines of a text, and the font size at which they fit into their area. */
interface FittedText {
  lines: readonly string[]
  size: number
  /** Whether the last line ends with "…" in place of the rest. */
  isCut: boolean
}

interface TextArea {
  /** Longest line, in pixels. */
  width: number
  /** Font size in pixels at which the text is as large as it may be, and the smallest legible one. */
  largest: number
  smallest: number
  /** Returns the number of lines that fit at a font size. */
  linesAt: (size: number) => number
  /** Returns the width of a line at a font size, in pixels. */
  widthOf: (line: string, size: number) => number
}

const words = new Intl.Segmenter(undefined, { granularity: 'word' })
const characters = new Intl.Segmenter()
const charactersOf = (text: string) => Array.from(characters.segment(text), ({ segment }) => segment)

/** Opening brackets and quotes, which stay with the word after them. */
const opening = /^[\p{Ps}\p{Pi}]/u

/**
 * Returns the parts of a word between which a line may end: the words of a script without spaces, and what follows a
 * hyphen or a slash. Other signs stay with the word before them.
 */
function partsOf(word: string): string[] {
  const parts: string[] = []
  let [part, hasWord] = ['', false]
  for (const { segment, isWordLike = false } of words.segment(word)) {
    if (hasWord && (isWordLike || opening.test(segment))) {
      parts.push(part)
      ;[part, hasWord] = ['', false]
    }
    part += segment
    hasWord ||= isWordLike
  }
  return [...parts, part]
}

/** The words of each line of a text, in parts. */
type Words = readonly (readonly (readonly string[])[])[]

function wrap(text: Words, fits: (line: string) => boolean): { lines: string[]; isBroken: boolean } {
  const lines: string[] = []
  let isBroken = false
  for (const paragraph of text) {
    let line = ''
    for (const parts of paragraph)
      for (const [at, part] of parts.entries()) {
        const longer = at === 0 && line !== '' ? `${line} ${part}` : line + part
        if (fits(longer)) {
          line = longer
          continue
        }
        if (line !== '') lines.push(line)
        line = ''
        for (const piece of fits(part) ? [part] : charactersOf(part)) {
          if (line !== '' && !fits(line + piece)) {
            lines.push(line)
            line = ''
            isBroken = true
          }
          line += piece
        }
      }
    lines.push(line)
  }
  return { lines, isBroken }
}

/**
 * Breaks a text into lines, in the largest font in which they fit. A line ends between words; only a word that is too long
 * in the smallest font is broken, between characters as readers see them. What does not fit even so is replaced by "…".
 */
export function fitText(text: string, { width, largest, smallest, linesAt, widthOf }: TextArea): FittedText {
  const parts = text.split('\n').map((line) => line.trim().split(/\s+/).map(partsOf))
  let broken: FittedText | undefined
  for (let size = largest; ; size = Math.max(smallest, size * 0.94)) {
    const fits = (line: string) => widthOf(line, size) <= width
    const { lines, isBroken } = wrap(parts, fits)
    if (lines.length <= linesAt(size)) {
      const fitted = { lines, size, isCut: false }
      if (!isBroken) return fitted
      broken ??= fitted
    }
    if (size <= smallest) return broken ?? { lines: cut(lines, linesAt(size), fits), size, isCut: true }
  }
}

/** Returns the first lines, of which the last ends with "…". */
function cut(lines: readonly string[], most: number, fits: (line: string) => boolean): string[] {
  const last = Math.max(1, most) - 1
  const kept = charactersOf(lines[last] ?? '')
  const withSign = () => `${kept.join('').trimEnd()}…`
  while (kept.length > 0 && !fits(withSign())) kept.pop()
  return [...lines.slice(0, last), withSign()]
}
