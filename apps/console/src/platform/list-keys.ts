import { columnsOf, stepOf } from './arrow-keys.ts'

const control =
  'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex="0"]'

/** Where these keys have work of their own. */
const busy = `
  input:not([type=checkbox], [type=button], [type=submit]), select, textarea, [contenteditable],
  [role=grid] *, [role=listbox] *, [role=menu] *, [role=radiogroup] *, [role=slider], [role=spinbutton], [role=tree] *`

/**
 * The arrow keys, Home and End in every list and table whose rows hold something to press, of the console and of
 * extensions: up and down keep to what is in the same place of a row, left and right go through all. What takes the keys
 * for itself calls `preventDefault`. At the ends they scroll, as they do elsewhere.
 */
export function moveInLists(event: KeyboardEvent): void {
  const { key, target, defaultPrevented } = event
  const step = stepOf(event)
  if (step === undefined || defaultPrevented || !(target instanceof HTMLElement) || target.matches(busy))
    return
  const row = target.closest('li, tr')
  const rows = Array.from(row?.parentElement?.children ?? [], controlsOf).filter(([first]) => first)
  const at = rows.findIndex((controls) => controls.includes(target))
  // Of a row that holds its place by its number others may not be there: the first and the last are scrolled to.
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
