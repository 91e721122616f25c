/**
 * Returns the texts of one language by room, from the files of that language. The texts of the desk, of refusals and of
 * open jobs are not included, because their files contain all languages and load with their pages.
 */
export const catalogueOf = (files: Record<string, object>): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.entries(files).map(([path, texts]) => [
      path.slice(path.lastIndexOf('/') + 1, path.indexOf('.texts.')),
      texts,
    ]),
  )
