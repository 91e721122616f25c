/** Up to here a pointer rests, although a hand trembles. Pixels. */
const restingDistance = 4

/**
 * Keeps a press on its button or link while the page moves below the resting pointer, for example because data arrives
 * above. Otherwise the press would end on what has come below the pointer, and nothing would happen. A pointer that is
 * moved away still cancels its press.
 */
export function keepPresses(): void {
  let kept: { control: Element; pointerId: number; x: number; y: number } | null = null
  addEventListener('pointerdown', (event) => {
    kept = null
    const { target, pointerId, clientX: x, clientY: y } = event
    const control = target instanceof Element ? target.closest('button, a[href]') : null
    // Fingers keep their press anyway.
    if (control === null || event.pointerType === 'touch' || event.button !== 0 || !event.isTrusted) return
    // What is dragged, a handle or a window, has captured the pointer already and keeps it.
    const path = event.composedPath()
    if (path.some((place) => place instanceof Element && place.hasPointerCapture(pointerId))) return
    control.setPointerCapture(pointerId)
    kept = { control, pointerId, x, y }
  })
  addEventListener(
    'pointermove',
    ({ pointerId, clientX, clientY }) => {
      if (kept === null || pointerId !== kept.pointerId) return
      if (Math.hypot(clientX - kept.x, clientY - kept.y) <= restingDistance) return
      if (kept.control.hasPointerCapture(pointerId)) kept.control.releasePointerCapture(pointerId)
      kept = null
    },
    { capture: true },
  )
}
