const takesFocus = 'section[tabindex="-1"]'

/** What is kept an eye on while it is on screen. */
const areas = new Set<HTMLElement>()
/** What had the focus last in one of them, and the areas around it from the inside out. */
let last: { element: Element; around: HTMLElement[] } | null = null
const changes = new MutationObserver(handOn)

/**
 * A reference for a list with buttons that remove its rows. The focus goes with such a button, at once or after the
 * question that it asked; then the list's section has it, and Tab goes on from there. The section needs `tabIndex={-1}`.
 * Another element gives the focus to the first such section in it.
 *
 * @example <Card ref={keepFocus} tabIndex={-1} title="Cues">
 */
export function keepFocus(area: HTMLElement | null): (() => void) | undefined {
  if (area === null) return
  if (areas.size === 0) {
    document.addEventListener('focusin', remember)
    // Until a dialog has closed it keeps the focus, and what is behind it takes none.
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
  // A menu and a question are a part of what they were opened from.
  else if (element.closest('[role=menu], [role=dialog], [role=alertdialog]') === null) last = null
}

function handOn(): void {
  if (last === null || last.element.isConnected || document.activeElement !== document.body) return
  const area = last.around.find(({ isConnected }) => isConnected)
  const section = area?.matches(takesFocus) ? area : area?.querySelector<HTMLElement>(takesFocus)
  section?.focus({ preventScroll: true })
}
