const takesFocus = 'section[tabindex="-1"]'

/** Sections whose focus is tracked while they are on screen. */
const areas = new Set<HTMLElement>()
/** The last focused element in one of them, and the areas around it from the inside out. */
let last: { element: Element; around: HTMLElement[] } | null = null
const changes = new MutationObserver(handOn)

/**
 * Keeps the focus in a list whose buttons remove rows. Pass it as the ref of the list's section, which needs
 * `tabIndex={-1}`. When the focused button disappears, immediately or after its question, the focus moves to the
 * section, and Tab continues from there. As the ref of another element, it moves the focus to the first such section
 * inside.
 *
 * @example <Card ref={keepFocus} tabIndex={-1} title="Cues">
 */
export function keepFocus(area: HTMLElement | null): (() => void) | undefined {
  if (area === null) return
  if (areas.size === 0) {
    document.addEventListener('focusin', remember)
    // While a dialog is open, elements behind it are inert and cannot take the focus.
    changes.observe(document.body, { subtree: true, childList: true, attributeFilter: ['inert'] })
  }
  areas.add(area)
  return () => {
    areas.delete(area)
    if (areas.size > 0) return
    document.removeEventListener('focusin', remember)
    changes.disconnect()
    last = null
  }
}

function remember({ target }: FocusEvent): void {
  const element = target as Element
  const around: HTMLElement[] = []
  for (let outer: Element | null = element; outer !== null; outer = outer.parentElement)
    if (areas.has(outer as HTMLElement)) around.push(outer as HTMLElement)
  if (around.length > 0) last = { element, around }
  // A menu or a question belongs to the element that opened it.
  else if (element.closest('[role=menu], [role=dialog], [role=alertdialog]') === null) last = null
}

function handOn(): void {
  if (last === null || last.element.isConnected || document.activeElement !== document.body) return
  const area = last.around.find(({ isConnected }) => isConnected)
  const section = area?.matches(takesFocus) ? area : area?.querySelector<HTMLElement>(takesFocus)
  section?.focus({ preventScroll: true })
}
