import { fitText } from './fit-text.ts'

/** The place of a key in a picture, in its pixels. */
export interface KeyPlace {
  left: number
  top: number
  width: number
  height: number
}

export interface KeyLabelOptions {
  /**
   * Shares of the key's height that stay free above the label, the preferred one first. The first one at which the whole
   * label fits is used, or else the last. @default [0]
   */
  free?: readonly number[]
  /** @default "#ffffff" */
  color?: string
}

const fontOf = (size: number) => `600 ${size}px "Inter Variable", system-ui, sans-serif`

/** Font sizes, as shares of the key's height: on a key of 72 pixels the smallest letters are 9 pixels high. */
const sizes = { largest: 0.18, smallest: 0.125 }
const lineHeight = 1.15
/** Margins, as shares of the key's width and height. */
const margin = 0.05

/**
 * Draws the label of a key of a Stream Deck in as many lines and in as large a font as fit. A label that does not fit ends
 * with "…". Returns the used share of `free`. Wait for the font first: a canvas does not.
 *
 * @example await document.fonts.load('600 20px "Inter Variable"')
 * drawKeyLabel(context, 'Restart the player', { left: 0, top: 0, width: 72, height: 72 })
 */
export function drawKeyLabel(
  context: CanvasRenderingContext2D,
  label: string,
  key: KeyPlace,
  { free: [share = 0, ...others] = [], color = '#ffffff' }: KeyLabelOptions = {},
): number {
  const { left, top, width, height } = key
  const from = height * Math.max(share, margin)
  const room = height * (1 - margin) - from
  const { lines, size, isCut } = fitText(label, {
    width: width * (1 - 2 * margin),
    largest: height * sizes.largest,
    smallest: height * sizes.smallest,
    linesAt: (fontSize) => Math.floor(room / (fontSize * lineHeight)),
    widthOf(line, fontSize) {
      context.font = fontOf(fontSize)
      return context.measureText(line).width
    },
  })
  if (isCut && others.length > 0) return drawKeyLabel(context, label, key, { free: others, color })
  context.font = fontOf(size)
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillStyle = color
  for (const [index, line] of lines.entries()) {
    const fromMiddle = (index - (lines.length - 1) / 2) * size * lineHeight
    context.fillText(line, left + width / 2, top + from + room / 2 + fromMiddle)
  }
  return share
}
