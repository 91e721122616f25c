/** Returns a duration such as "0.4 ms" or "240 ms" in the language of the page. */
export const inMilliseconds = (duration: number): string =>
  duration.toLocaleString(document.documentElement.lang, {
    style: 'unit',
    unit: 'millisecond',
    maximumFractionDigits: duration < 10 ? 1 : 0,
  })
