import { encode } from 'uqr'

export interface QrPath {
  /** Edge length in modules, including the quiet zone. */
  size: number
  /** The dark modules, as the `d` of an SVG path in units of one module. */
  d: string
}

/** ISO/IEC 18004 requires four light modules on each side. With fewer, some readers do not find the code. */
const quietZone = 4

export function qrPathOf(text: string): QrPath {
  const { size, data } = encode(text, { ecc: 'M', border: quietZone })
  const runs = data.flatMap((row, y) =>
    runsOf(row).map(({ x, length }) => `M${x} ${y}h${length}v1h-${length}z`),
  )
  return { size, d: runs.join('') }
}

/** Adjacent dark modules are drawn as one shape, because gaps between them would be visible at some sizes. */
function runsOf(row: readonly boolean[]): { x: number; length: number }[] {
  const runs: { x: number; length: number }[] = []
  for (const [x, isDark] of row.entries()) {
    const last = runs.at(-1)
    if (!isDark) continue
    if (last && last.x + last.length === x) last.length += 1
    else runs.push({ x, length: 1 })
  }
  return runs
}
