/** A shortcut as the list of shortcuts shows it. */
export interface LabelledHotkey {
  keys: string
  label: string
}

interface Hotkey {
  keys: string
  whileTyping: boolean
  /** How many dialogs were open when it came: those below another dialog are silent. */
  layer: number
  /** Later entries are rendered inside or above earlier ones. */
  place: number
  /** The window that it belongs to; undefined on the page. */
  surface: string | undefined
  label: string | undefined
  run: () => void
}

const hotkeys = new Set<Hotkey>()
/** Where one works: the window, or undefined for the page, that was pressed or had the focus last. */
let surfaceInUse: string | undefined

/** The described shortcuts that work at present, of the window or page that has the focus. */
export const labelledHotkeys = (): readonly LabelledHotkey[] =>
  [...hotkeys].flatMap(({ keys, label, surface }) =>
    label !== undefined && surface === surfaceInUse ? [{ keys, label }] : [],
  )

/** Until the answered function is called the hotkey runs. */
export function addHotkey(hotkey: Omit<Hotkey, 'layer'>): () => void {
  const added = { ...hotkey, keys: sameKeys(hotkey.keys), layer: openDialogs() }
  if (hotkeys.size === 0) listen()
  hotkeys.add(added)
  return () => {
    hotkeys.delete(added)
    if (hotkeys.size === 0) stopListening()
  }
}

function listen(): void {
  document.addEventListener('keydown', press)
  for (const type of ['pointerdown', 'focusin']) document.addEventListener(type, noteSurface, true)
}

function stopListening(): void {
  document.removeEventListener('keydown', press)
  for (const type of ['pointerdown', 'focusin']) document.removeEventListener(type, noteSurface, true)
}

/** A menu or a dialog lies beside both, and belongs to the one that opened it. */
function noteSurface({ target }: Event): void {
  if (!(target instanceof Element)) return
  const window = target.closest<HTMLElement>('[data-surface]')
  if (window !== null) surfaceInUse = window.dataset.surface
  else if (target.closest('#root') !== null || !isThere(surfaceInUse)) surfaceInUse = undefined
}

const isThere = (surface: string | undefined) =>
  document.querySelector(`[data-surface="${CSS.escape(surface ?? '')}"]`) !== null

function press(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const pressed = pressedKeys(event)
  if (isSilenced(pressed)) return
  const isTyping = isWritable(event.target)
  noteSurface(event)
  const meant = [...hotkeys].filter(
    ({ keys, whileTyping, surface }) =>
      keys === pressed && (whileTyping || !isTyping) && surface === surfaceInUse,
  )
  if (meant.length === 0) return
  // Also below a dialog: the browser would do something else instead.
  event.preventDefault()
  if (event.repeat) return
  const layer = openDialogs()
  const [topmost] = meant.filter((hotkey) => hotkey.layer >= layer).toSorted((a, b) => b.place - a.place)
  topmost?.run()
}

/** A user can turn shortcuts of a single character off, with or without Shift (WCAG 2.1.4). */
const isSilenced = (pressed: string) =>
  /^(?:shift\+)?.$/u.test(pressed) && document.documentElement.dataset['letterKeys'] === 'off'

/** Short messages call themselves dialogs, too, but leave the page as it is. */
const openDialogs = () =>
  document.querySelectorAll(
    ':is([role="dialog"], [role="alertdialog"]):not([aria-modal="false"]), dialog:modal',
  ).length

const modifiers = ['mod', 'alt', 'shift']

/** A shortcut with its modifiers in one order, the key last, so that two that mean the same are the same. */
export function sameKeys(keys: string): string {
  const parts = keys.toLowerCase().split('+')
  return [...modifiers.filter((name) => parts.includes(name)), parts.at(-1)].join('+')
}

/** The keys of an event, written as shortcuts are. */
export function pressedKeys({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string {
  const held = [ctrlKey !== metaKey && 'mod', altKey && 'alt', shiftKey && 'shift']
  return [...held.filter((name) => name !== false), key.toLowerCase()].join('+')
}

function isWritable(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true
  if (target instanceof HTMLSelectElement) return true
  return (
    target instanceof HTMLInputElement && !/^(?:button|checkbox|radio|submit|reset|range)$/.test(target.type)
  )
}
