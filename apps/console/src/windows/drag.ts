import type { Point } from './window-geometry.ts'

export interface Drag {
  /** At most once a frame: how far the pointer has come, and where it is on the screen. */
  move: (by: Point, at: Point) => void
  /** It was let go. */
  end: () => void
  /** Esc, or the browser took the pointer away: as if nothing had been. */
  cancel: () => void
}

/** A hand that trembles on a click drags nothing. */
const trembling = 3

/**
 * Follows a pointer that was pressed until it is let go. `begin` is asked once it has moved enough to mean it. The
 * element captures the pointer: frames inside of other windows swallow no event.
 */
export function followPointer(event: PointerEvent, element: HTMLElement, begin: () => Drag): void {
  if (event.button !== 0 || !event.isPrimary) return
  const { pointerId, clientX, clientY } = event
  const over = new AbortController()
  const how = { signal: over.signal }
  const first = { ...how, capture: true }
  let drag: Drag | null = null
  let at: Point = { x: clientX, y: clientY }
  let frame = 0

  const show = () => {
    frame = 0
    drag?.move({ x: at.x - clientX, y: at.y - clientY }, at)
  }
  const stop = (finish: (drag: Drag) => void) => {
    over.abort()
    cancelAnimationFrame(frame)
    if (drag === null) return
    // What the last frame has not shown yet counts, too.
    if (frame !== 0) show()
    finish(drag)
  }
  const follow = (moved: PointerEvent) => {
    if (moved.pointerId !== pointerId) return
    at = { x: moved.clientX, y: moved.clientY }
    if (drag === null) {
      if (Math.hypot(at.x - clientX, at.y - clientY) < trembling) return
      drag = begin()
    }
    frame ||= requestAnimationFrame(show)
    swallow(moved)
  }
  // Everything else that hears of pointers has nothing to do with this one, and would have its say in each frame.
  const swallow = (heard: Event) => {
    if (drag !== null) heard.stopPropagation()
  }
  const cancel = (pressed: KeyboardEvent) => {
    if (pressed.key !== 'Escape' || drag === null) return
    pressed.preventDefault()
    pressed.stopPropagation()
    stop(({ cancel: undo }) => undo())
  }

  element.setPointerCapture(pointerId)
  addEventListener('pointermove', follow, first)
  addEventListener('mousemove', swallow, first)
  element.addEventListener('pointerup', () => stop(({ end }) => end()), how)
  for (const type of ['pointercancel', 'lostpointercapture'] as const)
    element.addEventListener(type, () => stop(({ cancel: undo }) => undo()), how)
  addEventListener('keydown', cancel, first)
}
