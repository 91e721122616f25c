/** Movement in pixels up to which a pointer counts as resting, because hands tremble. */
const restingDistance = 4

/**
 * Keeps a press on its button or link while the page moves below the resting pointer, for example because data arrives
 * above. Otherwise the pointer would be released over another element, and the browser would fire no click. Moving the
 * pointer away still cancels the press.
 */
export function keepPresses(): void {
  let kept: { control: Element; pointerId: number; x: number; y: number } | null = null
  addEventListener('pointerdown', (event) => {
    kept = null
    const { target, pointerId, clientX: x, clientY: y } = event
    const control = target instanceof Element ? target.closest('button, a[href]') : null
    // Browsers capture touch pointers implicitly.
    if (control === null || event.pointerType === 'touch' || event.button !== 0 || !event.isTrusted) return
    // A dragged handle or window has already captured the pointer.
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
