/** The code of every key that an input method handles. */
const handledByInputMethod = 229

/**
 * Keeps the keys of an input method (Japanese, Chinese, Korean, accents) from shortcuts, lists and fields: Enter, Esc
 * and the arrow keys choose among its candidates.
 */
export function keepComposing(): void {
  const keep = (event: KeyboardEvent) => {
    // `isComposing` is not set for the key that begins a composition, and in Safari not for the one that ends it.
    // oxlint-disable-next-line typescript/no-deprecated -- Nothing else marks these keys.
    if (event.isComposing || event.keyCode === handledByInputMethod) event.stopImmediatePropagation()
  }
  // Captured before every other listener.
  addEventListener('keydown', keep, { capture: true })
}
