import { type ReactNode, useEffect, useRef } from 'react'
import { Kbd } from '../text/Kbd.tsx'
import type { Shortcut } from '../text/shortcut.ts'
import styles from './Tooltip.module.css'

export interface TooltipProps {
  text: string
  shortcut?: Shortcut | undefined
  placement?: 'top' | 'bottom' | undefined
  /**
   * One focusable element. Its accessible name must contain the same text, because screen readers do not read the
   * tooltip.
   */
  children: ReactNode
}

const delay = 500
const gap = 6
const margin = 8

/**
 * Shows the name of an element with only an icon, on hover (after a short delay) and on keyboard focus. Any key closes
 * it. It never appears on touch. The native popover is never clipped, and its code is a tenth of React Aria's.
 */
export function Tooltip({ text, shortcut, placement = 'bottom', children }: TooltipProps) {
  const anchor = useRef<HTMLSpanElement>(null)
  const bubble = useRef<HTMLSpanElement>(null)

  useEffect(() => {
    const target = anchor.current
    const tip = bubble.current
    if (!target || !tip) return
    let timer: ReturnType<typeof setTimeout> | undefined

    const hide = () => {
      clearTimeout(timer)
      if (tip.matches(':popover-open')) tip.hidePopover()
    }
    const show = () => {
      const element = target.firstElementChild
      if (!element?.isConnected) return
      tip.showPopover()
      place(tip, element.getBoundingClientRect(), placement)
    }
    const listeners = {
      pointerenter: (event: PointerEvent) => {
        if (event.pointerType !== 'touch') timer = setTimeout(show, delay)
      },
      pointerleave: hide,
      pointerdown: hide,
      focusin: (event: FocusEvent) => {
        if (event.target instanceof Element && event.target.matches(':focus-visible')) show()
      },
      focusout: hide,
      keydown: hide,
    }
    const stop = new AbortController()
    for (const [type, listener] of Object.entries(listeners)) {
      target.addEventListener(type, listener as EventListener, { signal: stop.signal })
    }
    return () => {
      hide()
      stop.abort()
    }
  }, [placement])

  return (
    <span ref={anchor} className={styles.anchor}>
      {children}
      <span ref={bubble} popover="manual" aria-hidden="true" className={styles.tooltip}>
        {text}
        {shortcut !== undefined && <Kbd keys={shortcut} />}
      </span>
    </span>
  )
}

/** Places the tooltip below or above the middle of an element, where it fits, and never beyond the window's edge. */
function place(tip: HTMLElement, around: DOMRect, placement: 'top' | 'bottom'): void {
  const { width, height } = tip.getBoundingClientRect()
  const above = around.top - gap - height
  const below = around.bottom + gap
  const isAbove = placement === 'top' ? above >= margin : below + height > innerHeight - margin
  const middle = around.left + around.width / 2 - width / 2
  tip.style.left = `${Math.max(margin, Math.min(middle, innerWidth - width - margin))}px`
  tip.style.top = `${isAbove ? above : below}px`
}
