/**
 * Refuses files that are dragged over a page, except over an area that accepts them: the browser would open a dropped
 * file instead of the console. While files are dragged, `data-files-dragged` on the document highlights the areas.
 */
export function refuseFiles(): void {
  const page = document.documentElement
  const end = () => {
    delete page.dataset.filesDragged
  }
  const follow = ({ dataTransfer, type, relatedTarget }: DragEvent) => {
    if (!dataTransfer?.types.includes('Files')) return
    if (type === 'dragenter' || type === 'dragover') {
      page.dataset.filesDragged = ''
      // Pointers send no events during a drag, and browsers do not report each end of one.
      addEventListener('pointermove', end, { once: true })
    }
    // Without a related target the files have left the window.
    else if (type === 'drop' || relatedTarget === null) end()
  }
  const refuse = (event: DragEvent) => {
    const { dataTransfer, target, defaultPrevented } = event
    if (defaultPrevented || !dataTransfer?.types.includes('Files')) return
    if (target instanceof HTMLInputElement && target.type === 'file') return
    event.preventDefault()
    dataTransfer.dropEffect = 'none'
  }
  // Captured, because an area may end the event.
  for (const type of ['dragenter', 'dragover', 'dragleave', 'drop'] as const)
    addEventListener(type, follow, { capture: true })
  // On window, so that an area can accept them first.
  for (const type of ['dragover', 'drop'] as const) addEventListener(type, refuse)
}
