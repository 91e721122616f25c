/** The usual font size of browsers in pixels, to which sizes in pixels refer. */
const usual = 16

/** Returns how much larger than usual the browser's font size is: 1.25 for 20 px. Texts grow with it. */
export const textScale = (): number =>
  (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || usual) / usual
