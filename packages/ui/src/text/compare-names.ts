/** In all languages the same order, which is also that of the server's lists: Ähre before Apfel, Kran 2 before Kran 10. */
const collator = new Intl.Collator('en', { numeric: true })

/** Compares two names for a sort, in the order of the server's lists. */
export const compareNames = (one: string, other: string): number => collator.compare(one, other)
