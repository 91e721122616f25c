/** Returns whether an element takes typed text, so that single letters are not shortcuts there. */
export const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))
