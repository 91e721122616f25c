import { type FocusEvent, type MouseEvent, useLayoutEffect, useRef } from 'react'

/** Presses of the control that has got the focus within this time were meant for the row that has left. Milliseconds. */
const settling = 500

/**
 * Keeps the focus in a list whose buttons remove rows: it moves to the same action of the next row, else to the row's
 * link or menu, else to the heading of the page. Returns the attributes of the list.
 */
export function useKeptFocus() {
  const list = useRef<HTMLUListElement>(null)
  const last = useRef<{ element: Element; action: string | null; index: number } | null>(null)
  const moved = useRef<{ to: Element | undefined; at: number } | null>(null)
  const rows = () => [...(list.current?.querySelectorAll('li:not([inert])') ?? [])]

  // React fires no blur event for elements that it removes, so `last` still holds the focused one.
  useLayoutEffect(() => {
    if (last.current === null) return
    const { element, action, index } = last.current
    if (element.isConnected && element.closest('[inert]') === null) return
    last.current = null
    const left = rows()
    const next = left[Math.min(index, left.length - 1)]
    const control = next && controlOf(next, action)
    moved.current = { to: control, at: performance.now() }
    if (control) control.focus()
    else focusPage()
  })

  return {
    ref: list,
    onFocus: ({ target }: FocusEvent) => {
      const row = target.closest('li')
      if (row !== null)
        last.current = { element: target, action: target.textContent, index: rows().indexOf(row) }
    },
    onBlur: () => {
      last.current = null
    },
    onClickCapture: (event: MouseEvent) => {
      const { to, at = 0 } = moved.current ?? {}
      if (to?.contains(event.target as Element) !== true || performance.now() - at >= settling) return
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

/** The row's button for an action, else its link or menu. */
function controlOf(row: Element, action: string | null): HTMLElement | undefined {
  const controls = [...row.querySelectorAll<HTMLElement>('a[href], button')].filter((one) =>
    one.checkVisibility(),
  )
  return (
    controls.find((one) => one.matches('button') && one.textContent === action) ??
    controls.find((one) => one.matches('a, [aria-haspopup]'))
  )
}

function focusPage(): void {
  const heading = document.querySelector<HTMLElement>('main [data-page-heading]')
  if (heading === null) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
