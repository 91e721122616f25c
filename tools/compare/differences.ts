import sharp from 'sharp'

/** Channels that differ by less look the same: text is smoothed with small differences. */
const tolerance = 8

/** Fewer differing pixels count as equal. */
const leastPixels = 4

export interface PictureDifference {
  /** Number of differing pixels. */
  pixels: number
  /** The second picture dimmed, with the differing pixels in red, as a PNG. */
  marked: Buffer
}

/** Compares two PNG pictures. Returns null if they look the same. A difference in size counts for each pixel outside. */
export async function differenceOfPictures(before: Buffer, after: Buffer): Promise<PictureDifference | null> {
  if (before.equals(after)) return null
  const [old, now] = await Promise.all([pixelsOf(before), pixelsOf(after)])
  const marked = Buffer.alloc(now.data.length)
  let pixels = Math.max(0, old.width * old.height - now.width * now.height)
  for (let y = 0; y < now.height; y += 1)
    for (let x = 0; x < now.width; x += 1) {
      const at = (y * now.width + x) * 4
      const isInside = x < old.width && y < old.height
      const isSame = isInside && isSamePixel(old.data, (y * old.width + x) * 4, now.data, at)
      if (!isSame) pixels += 1
      for (let channel = 0; channel < 3; channel += 1)
        marked[at + channel] = isSame ? 160 + (now.data[at + channel] ?? 0) / 4 : channel === 0 ? 230 : 0
      marked[at + 3] = 255
    }
  if (pixels < leastPixels) return null
  const raw = { width: now.width, height: now.height, channels: 4 } as const
  return { pixels, marked: await sharp(marked, { raw }).png().toBuffer() }
}

async function pixelsOf(picture: Buffer) {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

function isSamePixel(old: Buffer, oldAt: number, now: Buffer, nowAt: number): boolean {
  for (let channel = 0; channel < 4; channel += 1)
    if (Math.abs((old[oldAt + channel] ?? 0) - (now[nowAt + channel] ?? 0)) > tolerance) return false
  return true
}

/**
 * Returns the lines that only one of two texts has, in order, each after `- ` (before) or `+ ` (after). Empty if the
 * texts are equal. Suits texts of a few hundred lines.
 */
export function differenceOfLines(before: string, after: string): string[] {
  if (before === after) return []
  const [old, now] = [before.split('\n'), after.split('\n')]
  // Lengths of the longest common subsequences of all pairs of ends.
  const common = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i -= 1) {
    const row = common[i] ?? new Uint32Array()
    for (let j = now.length - 1; j >= 0; j -= 1)
      row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  }
  const lines: string[] = []
  let [i, j] = [0, 0]
  while (i < old.length || j < now.length) {
    if (i < old.length && j < now.length && old[i] === now[j]) [i, j] = [i + 1, j + 1]
    else if (j === now.length || (i < old.length && at(i + 1, j) >= at(i, j + 1))) lines.push(`- ${old[i++]}`)
    else lines.push(`+ ${now[j++]}`)
  }
  return lines
}

/** The kinds of comparison, in the order of the report. */
export const kinds = ['picture', 'tree', 'focus', 'requests', 'visit'] as const
export type Kind = (typeof kinds)[number]

const titles: Record<Kind, string> = {
  picture: 'Pictures',
  tree: 'Accessibility trees',
  focus: 'Focus orders',
  requests: 'Requests of the first minute',
  visit: 'Pages that do not open',
}

export interface Difference {
  kind: Kind
  /** State, language and further properties. */
  name: string
  /** Markdown: links to pictures, or lines of text. */
  content: string
}

export interface Report {
  before: string
  after: string
  /** Number of comparisons of each kind. */
  compared: Readonly<Record<Kind, number>>
  differences: readonly Difference[]
  /** Visits that failed while the requests were recorded, and requests without a recorded reply. */
  notes: readonly string[]
}

/** Returns one line for each kind, such as `Pictures: 2 of 504 differ`. */
export const summaryOf = ({ compared, differences }: Report): string[] =>
  kinds.map((kind) => {
    const count = differences.filter((one) => one.kind === kind).length
    return `${titles[kind]}: ${count} of ${compared[kind]} differ`
  })

/** Returns the report as Markdown. */
export function markdownOf(report: Report): string {
  const { before, after, differences, notes } = report
  const parts = kinds.flatMap((kind) => {
    const found = differences.filter((one) => one.kind === kind)
    if (found.length === 0) return []
    return [`## ${titles[kind]}`, ...found.map(({ name, content }) => `### ${name}\n\n${content}`)]
  })
  const remarks = notes.length === 0 ? [] : ['## Notes', notes.map((note) => `- ${note}`).join('\n')]
  const summary = summaryOf(report).map((line) => `- ${line}`)
  return `${[`# Differences from ${before} to ${after}`, summary.join('\n'), ...parts, ...remarks].join('\n\n')}\n`
}
