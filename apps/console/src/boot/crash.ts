import { texts } from './boot.texts.ts'

/** The last resort when React itself has given up: an empty page helps nobody. */
export function showCrash(root: Element): void {
  const panel = document.createElement('div')
  panel.className = 'stage-page'
  panel.role = 'alert'
  const title = document.createElement('h1')
  title.textContent = texts.crashed
  const reload = document.createElement('a')
  reload.href = ''
  reload.textContent = texts.reload
  panel.append(title, reload)
  root.replaceChildren(panel)
}
