/**
 * The texts of one language by room, from those of each file. The texts of the desk and of refusals are no part of them,
 * because these files hold all languages and load with their pages.
 */
export const catalogueOf = (files: Record<string, object>): Readonly<Record<string, object>> =>
  Object.fromEntries(
    Object.entries(files).map(([path, texts]) => [
      path.slice(path.lastIndexOf('/') + 1, path.indexOf('.texts.')),
      texts,
    ]),
  )
