import { limits } from '@pult/sdk/api'

/** JPEG qualities from the best to the lowest acceptable one. */
const qualities = [0.9, 0.75, 0.6, 0.45, 0.3]

/**
 * Crops a picture to the shape of a deck and scales it below the upload limit. Returns base64. Throws if the file is
 * not a picture.
 */
export async function pictureFor(
  file: Blob,
  { width, height }: { width: number; height: number },
): Promise<string> {
  const bitmap = await createImageBitmap(file)
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('The browser cannot draw')
  const scale = Math.max(width / bitmap.width, height / bitmap.height)
  const [drawnWidth, drawnHeight] = [bitmap.width * scale, bitmap.height * scale]
  context.drawImage(bitmap, (width - drawnWidth) / 2, (height - drawnHeight) / 2, drawnWidth, drawnHeight)
  bitmap.close()
  for (const quality of qualities) {
    const picture = canvas.toDataURL('image/jpeg', quality).replace(/^.*,/, '')
    if (picture.length <= limits.deckPictureMax) return picture
  }
  throw new Error('The picture is too large')
}
