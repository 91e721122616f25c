import { type EdgeDeck, type EdgeDeckKey, limits } from '@pult/sdk/api'
import { drawKeyLabel } from '@pult/sdk/ui'

/** Qualities from the best to the lowest acceptable one. A browser without WebP writes PNG. */
const qualities = [0.9, 0.7, 0.5]

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
  await document.fonts.load('600 20px "Inter Variable"').catch(() => {})
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) return undefined
  const size = { width: width / columns, height: height / rows }
  for (const { key, label } of labelled) {
    const left = (key % columns) * size.width
    const top = Math.floor(key / columns) * size.height
    // On this background, white text is readable over any picture.
    context.fillStyle = 'rgb(6 12 16 / 64%)'
    context.fillRect(left, top, size.width, size.height)
    drawKeyLabel(context, label, { left, top, ...size })
  }
  for (const quality of qualities) {
    const face = canvas.toDataURL('image/webp', quality).replace(/^.*,/, '')
    if (face.length <= limits.edgeDeckFaceMax) return face
  }
  return undefined
}
