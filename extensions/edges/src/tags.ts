/** Splits tags at typed commas and removes duplicates. */
export const splitTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.flatMap((tag) => tag.split(',')).flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]))),
]
