/** Formats a count with its noun in the language of the page. */
export const plural = (count: number, one: string, many: string) =>
  `${count.toLocaleString(document.documentElement.lang)} ${count === 1 ? one : many}`
