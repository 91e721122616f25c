import { pressedKey } from '@pult/ui'

/** An entry in the list of shortcuts. */
export interface LabelledHotkey {
  keys: string
  label: string
}

interface Hotkey {
  keys: string
  whileTyping: boolean
  /** Number of open dialogs when it was added. Hotkeys below a later dialog do not run. */
  layer: number
  /** Later entries are rendered inside or above earlier ones. */
  place: number
  /** The window of its component; undefined on the page. */
  surface: string | undefined
  label: string | undefined
  run: () => void
}

const hotkeys = new Set<Hotkey>()
/** The window that was last pressed or focused; undefined for the page. */
let surfaceInUse: string | undefined

/** Returns the labelled shortcuts of the window or page in use. */
export const labelledHotkeys = (): readonly LabelledHotkey[] =>
  [...hotkeys].flatMap(({ keys, label, surface }) =>
    label !== undefined && surface === surfaceInUse ? [{ keys, label }] : [],
  )

/** Adds a hotkey. Returns a function that removes it. */
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

/** Updates the surface in use. Menus and dialogs are outside of both and belong to the surface that opened them. */
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
  // Also below a dialog, where no hotkey runs, because the browser's own shortcut would run instead.
  event.preventDefault()
  if (event.repeat) return
  const layer = openDialogs()
  const [topmost] = meant.filter((hotkey) => hotkey.layer >= layer).toSorted((a, b) => b.place - a.place)
  topmost?.run()
}

/** Returns whether the user has turned this shortcut off: a single character, with or without Shift (WCAG 2.1.4). */
const isSilenced = (pressed: string) =>
  /^(?:shift\+)?.$/u.test(pressed) && document.documentElement.dataset['letterKeys'] === 'off'

/** Counts the open modal dialogs. Toasts have a dialog role, too, but are not modal. */
const openDialogs = () =>
  document.querySelectorAll(
    ':is([role="dialog"], [role="alertdialog"]):not([aria-modal="false"]), dialog:modal',
  ).length

const modifiers = ['mod', 'alt', 'shift']

/** Returns the canonical form of a shortcut: its modifiers in fixed order, then the key. */
export function sameKeys(keys: string): string {
  const parts = keys.toLowerCase().split('+')
  return [...modifiers.filter((name) => parts.includes(name)), parts.at(-1)].join('+')
}

/** Returns the keys of an event as a canonical shortcut. */
export function pressedKeys(event: KeyboardEvent): string {
  const { ctrlKey, metaKey, altKey, shiftKey } = event
  const held = [ctrlKey !== metaKey && 'mod', altKey && 'alt', shiftKey && 'shift']
  return [...held.filter((name) => name !== false), pressedKey(event)].join('+')
}

function isWritable(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true
  if (target instanceof HTMLSelectElement) return true
  return (
    target instanceof HTMLInputElement && !/^(?:button|checkbox|radio|submit|reset|range)$/.test(target.type)
  )
}
