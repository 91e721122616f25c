/** Mark of a pressed key: in progress, succeeded, or failed. */
export type Mark = 'busy' | 'done' | 'refused'

type Stroke = readonly [fromX: number, fromY: number, toX: number, toY: number]

/** Colour and strokes of each mark, so that no mark depends on colour alone. Coordinates are fractions of a key. */
const marks: Record<Mark, { color: readonly [number, number, number]; strokes: readonly Stroke[] }> = {
  busy: { color: [245, 180, 40], strokes: [] },
  done: {
    color: [60, 200, 100],
    strokes: [
      [0.25, 0.52, 0.43, 0.7],
      [0.43, 0.7, 0.76, 0.32],
    ],
  },
  refused: {
    color: [240, 70, 60],
    strokes: [
      [0.28, 0.28, 0.72, 0.72],
      [0.72, 0.28, 0.28, 0.72],
    ],
  },
}

/** Width of the frame as a fraction of a key. */
const frame = 0.07
const halfStroke = 0.05

/** Returns the pixels of a key (RGB, row by row) with a frame and the strokes of a mark over them. */
export function marked(
  pixels: Uint8Array,
  { width, height }: { width: number; height: number },
  mark: Mark,
): Uint8Array {
  const { color, strokes } = marks[mark]
  const after = Uint8Array.from(pixels)
  const thickness = Math.max(1, Math.round(height * frame))
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1) {
      const [x, y] = [(column + 0.5) / width, (row + 0.5) / height]
      const isFrame = Math.min(column, row, width - 1 - column, height - 1 - row) < thickness
      if (isFrame || strokes.some((stroke) => distance(x, y, stroke) < halfStroke))
        after.set(color, (row * width + column) * 3)
    }
  return after
}

/** Returns the distance of a point from a stroke. */
function distance(x: number, y: number, [fromX, fromY, toX, toY]: Stroke): number {
  const [dx, dy] = [toX - fromX, toY - fromY]
  const along = Math.min(1, Math.max(0, ((x - fromX) * dx + (y - fromY) * dy) / (dx * dx + dy * dy)))
  return Math.hypot(x - fromX - along * dx, y - fromY - along * dy)
}
