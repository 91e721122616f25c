/** Keys joined by `+`, the letter last: `Mod+S`, `Mod+Shift+K`, `Esc`. `Mod` is Ctrl, on Apple keyboards ⌘. */
export type Shortcut = string

const appleSymbols: Record<string, string> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Ctrl: '⌃' }
const ariaNames: Record<string, string> = { Ctrl: 'Control', Esc: 'Escape' }

/** Returns the labels on the keys: `Ctrl S`, on Apple keyboards `⌘ S`. */
export function shortcutLabel(shortcut: Shortcut, apple: boolean): string {
  return shortcut
    .split('+')
    .map((key) => (apple ? appleSymbols[key] : undefined) ?? (key === 'Mod' ? 'Ctrl' : key))
    .join(' ')
}

/** Returns the value of `aria-keyshortcuts`: `Control+S`, on Apple keyboards `Meta+S`. */
export function ariaKeyShortcuts(shortcut: Shortcut, apple: boolean): string {
  return shortcut
    .split('+')
    .map((key) => (key === 'Mod' ? (apple ? 'Meta' : 'Control') : (ariaNames[key] ?? key)))
    .join('+')
}

export function hasAppleKeyboard(): boolean {
  return /mac|iphone|ipad/i.test(navigator.platform)
}
