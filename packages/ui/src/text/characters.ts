/** Returns the characters of a text as readers see them: an emoji, a flag and a letter with its marks are one each. */
export const charactersOf = (text: string): string[] =>
  Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
