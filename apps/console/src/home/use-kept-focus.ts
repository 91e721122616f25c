import { type FocusEvent, useLayoutEffect, useRef } from 'react'

/**
 * Keeps the focus in a list whose buttons remove rows: it moves to the button of the next row and, without one, to the
 * heading of the page. Returns the attributes of the list.
 */
export function useKeptFocus() {
  const list = useRef<HTMLUListElement>(null)
  const last = useRef<{ element: Element; index: number } | null>(null)
  const rows = () => [...(list.current?.querySelectorAll('li:not([inert])') ?? [])]

  // React fires no blur event for elements that it removes, so `last` still holds the focused one.
  useLayoutEffect(() => {
    if (last.current === null) return
    const { element, index } = last.current
    if (element.isConnected && element.closest('[inert]') === null) return
    last.current = null
    const left = rows()
    const next = left[Math.min(index, left.length - 1)]
    const button = [...(next?.querySelectorAll('button') ?? [])].find((one) => one.checkVisibility())
    if (button) button.focus()
    else focusPage()
  })

  return {
    ref: list,
    onFocus: ({ target }: FocusEvent) => {
      const row = target.closest('li')
      if (row !== null) last.current = { element: target, index: rows().indexOf(row) }
    },
    onBlur: () => {
      last.current = null
    },
  }
}

function focusPage(): void {
  const heading = document.querySelector<HTMLElement>('main [data-page-heading]')
  if (heading === null) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}
