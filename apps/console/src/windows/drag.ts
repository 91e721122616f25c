import type { Point } from './window-geometry.ts'

export interface Drag {
  /** Called at most once per frame with the pointer's movement and its position on the screen. */
  move: (by: Point, at: Point) => void
  /** The pointer was released. */
  end: () => void
  /** Esc was pressed or the browser cancelled the pointer. All effects must be undone. */
  cancel: () => void
}

/** Pixels. A smaller movement is a click. */
const clickTolerance = 3

/**
 * Follows a pressed pointer until its release. Calls `begin` once the pointer has moved past a threshold. The element
 * captures the pointer, so that iframes in other windows do not swallow events.
 */
export function followPointer(event: PointerEvent, element: HTMLElement, begin: () => Drag): void {
  if (event.button !== 0 || !event.isPrimary) return
  const { pointerId, clientX, clientY } = event
  const ended = new AbortController()
  const how = { signal: ended.signal }
  const first = { ...how, capture: true }
  let drag: Drag | null = null
  let at: Point = { x: clientX, y: clientY }
  let frame = 0

  const show = () => {
    frame = 0
    drag?.move({ x: at.x - clientX, y: at.y - clientY }, at)
  }
  const stop = (finish: (drag: Drag) => void) => {
    ended.abort()
    cancelAnimationFrame(frame)
    if (drag === null) return
    // Applies the last movement that no frame has shown yet.
    if (frame !== 0) show()
    finish(drag)
  }
  const follow = (moved: PointerEvent) => {
    if (moved.pointerId !== pointerId) return
    at = { x: moved.clientX, y: moved.clientY }
    if (drag === null) {
      if (Math.hypot(at.x - clientX, at.y - clientY) < clickTolerance) return
      drag = begin()
    }
    frame ||= requestAnimationFrame(show)
    swallow(moved)
  }
  // Stops propagation, so that other pointer listeners do not run on every frame of a drag.
  const swallow = (moved: Event) => {
    if (drag !== null) moved.stopPropagation()
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
