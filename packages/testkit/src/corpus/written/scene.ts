/** Pixels as rows of RGBA, 8 bits each. */
export interface Pixels {
  width: number
  height: number
  data: Buffer
}

const quarters = [
  [210, 40, 30],
  [30, 150, 60],
  [40, 70, 200],
  [240, 200, 40],
] as const

/**
 * Draws four quarters of different colours and a white corner, so that every turn, mirror image and swap of colours
 * differs. A dark bar moves with the frame. With transparency the last quarter is half transparent.
 */
export function scene(
  width: number,
  height: number,
  { frame, isTransparent = false }: { frame?: number; isTransparent?: boolean } = {},
): Pixels {
  const data = Buffer.alloc(width * height * 4)
  const bar = frame === undefined ? -1 : Math.floor((frame * width) / 8)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const at = (y * width + x) * 4
      const quarter = (x * 2 < width ? 0 : 1) + (y * 2 < height ? 0 : 2)
      const [red, green, blue] = quarters[quarter] ?? quarters[0]
      const isCorner = x * 6 < width && y * 6 < height
      const isBar = bar >= 0 && x >= bar && x < bar + width / 8
      const color = isBar ? [20, 20, 20] : isCorner ? [255, 255, 255] : [red, green, blue]
      data.set([...color, isTransparent && quarter === 3 ? 128 : 255], at)
    }
  return { width, height, data }
}
