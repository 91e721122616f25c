/** Separates tags at the commas that a user typed, and keeps each once. */
export const splitTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.flatMap((tag) => tag.split(',')).flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]))),
]
