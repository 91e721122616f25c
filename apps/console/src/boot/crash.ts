import { openDocument } from '#platform/storage.ts'
import { texts } from './boot.texts.ts'

/** Shows an error panel when React has unmounted everything. Otherwise the page would stay empty. */
export function showCrash(root: Element): void {
  const panel = document.createElement('div')
  panel.className = 'stage-page'
  panel.role = 'alert'
  const title = document.createElement('h1')
  title.textContent = texts.crashed
  const reload = document.createElement('a')
  reload.href = ''
  reload.textContent = texts.reload
  reload.addEventListener('click', (event) => {
    event.preventDefault()
    openDocument()
  })
  panel.append(title, reload)
  root.replaceChildren(panel)
}
