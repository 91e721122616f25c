/** Of one frame, as it is kept in the file: a picture that is turned by its EXIF data is measured as it lies. */
export interface PictureSize {
  width: number
  height: number
}

/**
 * The size of a picture in a file, read from its head: nothing is decoded, so that a bomb does not go off. Undefined for
 * what is no picture of that format.
 *
 * @param format as sharp names it: `jpeg`, `heif`
 */
export async function pictureSize(path: string, format: string): Promise<PictureSize | undefined> {
  // Imported with the first picture: the library takes 30 MB.
  const { default: sharp } = await import('sharp')
  try {
    const found = await sharp(path, { limitInputPixels: false }).metadata()
    if (found.format !== format || !found.width || !found.height) return undefined
    return { width: found.width, height: found.height }
  } catch {
    return undefined
  }
}
