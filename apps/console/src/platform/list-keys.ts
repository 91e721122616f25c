import { columnsOf, stepOf } from './arrow-keys.ts'

const control =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]'

/** Elements that use these keys themselves. */
const busy = `
  input:not([type=checkbox], [type=button], [type=submit]), select, textarea, [contenteditable],
  [role=grid] *, [role=listbox] *, [role=menu] *, [role=radiogroup] *, [role=slider], [role=spinbutton], [role=tree] *`

/**
 * Handles the arrow keys, Home and End in every list and table whose rows contain controls, of the console and of
 * extensions. Up and down move to the same control of the next row, left and right through all controls. Elements
 * that handle these keys call `preventDefault`. At the ends the keys scroll the page.
 */
export function moveInLists(event: KeyboardEvent): void {
  const { key, target, defaultPrevented } = event
  const step = stepOf(event)
  if (step === undefined || defaultPrevented || !(target instanceof HTMLElement) || target.matches(busy))
    return
  const row = target.closest('li, tr')
  const rows = Array.from(row?.parentElement?.children ?? [], controlsOf).filter(([first]) => first)
  const at = rows.findIndex((controls) => controls.includes(target))
  // A virtualised list may not have rendered its first or last row, so the list scrolls there itself.
  if (at === -1 || (row?.ariaPosInSet && /^(?:Home|End)$/.test(key))) return
  const isSideways = /^Arrow(?:Left|Right)$/.test(key)
  const all = rows.flat()
  const place = rows[at]?.indexOf(target) ?? 0
  const columns = columnsOf(rows.flatMap(([first]) => first ?? []))
  const next = rows[step(at, rows.length - 1, columns)] ?? []
  const to = isSideways
    ? all[step(all.indexOf(target), all.length - 1, 1)]
    : next[Math.min(place, next.length - 1)]
  if (to === undefined || to === target) return
  event.preventDefault()
  to.focus()
}

const controlsOf = (row: Element) =>
  [...row.querySelectorAll<HTMLElement>(control)].filter((element) => element.checkVisibility())
