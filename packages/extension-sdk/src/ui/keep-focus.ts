const takesFocus = 'section[tabindex="-1"]'

/** Sections whose focus is tracked while they are on screen. */
const areas = new Set<HTMLElement>()
/** What had the focus last in one of them, and the areas around it from the inside out. */
let last: { element: Element; around: HTMLElement[] } | null = null
const changes = new MutationObserver(handOn)

/**
 * A ref for a list whose buttons remove rows. When the focused button disappears, at once or after its question, the
 * focus moves to the list's section, and Tab continues from there. The section needs `tabIndex={-1}`. On another
 * element it moves the focus to the first such section inside.
 *
 * @example <Card ref={keepFocus} tabIndex={-1} title="Cues">
 */
export function keepFocus(area: HTMLElement | null): (() => void) | undefined {
  if (area === null) return
  if (areas.size === 0) {
    document.addEventListener('focusin', remember)
    // An open dialog keeps the focus, and elements behind it cannot receive it.
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
