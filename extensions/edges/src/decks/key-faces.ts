import { type EdgeDeck, type EdgeDeckKey, limits } from '@pult/sdk/api'

/** Qualities from the best to the lowest acceptable one. A browser without WebP writes PNG. */
const qualities = [0.9, 0.7, 0.5]

const fontOf = (size: number) => `600 ${size}px "Inter Variable", sans-serif`

/**
 * Draws the labels of a page on a transparent background. Returns base64, null for a page without labels or a deck
 * without displays, or undefined if the picture is too large.
 */
export async function faceOf(
  keys: readonly EdgeDeckKey[],
  { width, height, columns, rows }: EdgeDeck,
): Promise<string | null | undefined> {
  const labelled = keys.filter(({ label, key }) => label !== '' && key < columns * rows)
  if (width * height === 0 || labelled.length === 0) return null
  // A canvas does not wait for its font. Without it, another one is used.
  await document.fonts.load(fontOf(20)).catch(() => {})
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) return undefined
  const size = { width: width / columns, height: height / rows }
  for (const { key, label } of labelled) {
    const left = (key % columns) * size.width
    const top = Math.floor(key / columns) * size.height
    drawLabel(context, label, { left, top, ...size })
  }
  for (const quality of qualities) {
    const face = canvas.toDataURL('image/webp', quality).replace(/^.*,/, '')
    if (face.length <= limits.edgeDeckFaceMax) return face
  }
  return undefined
}

const linesMost = 3

function drawLabel(
  context: CanvasRenderingContext2D,
  label: string,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): void {
  // On this background, white text is readable over any picture.
  context.fillStyle = 'rgb(6 12 16 / 64%)'
  context.fillRect(left, top, width, height)
  context.fillStyle = '#fff'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const textSize = height * 0.19
  context.font = fontOf(textSize)
  const lines = linesOf(context, label, width * 0.88)
  for (const [index, line] of lines.entries()) {
    const from = top + height / 2 + (index - (lines.length - 1) / 2) * textSize * 1.2
    context.fillText(line, left + width / 2, from, width * 0.92)
  }
}

/** Breaks a label at its spaces. The last line contains the rest. */
function linesOf(context: CanvasRenderingContext2D, label: string, width: number): string[] {
  const lines = ['']
  for (const word of label.split(/\s+/)) {
    const line = lines.at(-1) ?? ''
    const longer = line === '' ? word : `${line} ${word}`
    if (line === '' || context.measureText(longer).width <= width || lines.length === linesMost)
      lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
