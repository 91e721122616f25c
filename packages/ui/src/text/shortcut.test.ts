import { expect, test } from 'vitest'
import { ariaKeyShortcuts, shortcutLabel } from './shortcut.ts'

test.each([
  ['Mod+S', false, 'Ctrl S', 'Control+S'],
  ['Mod+S', true, '⌘ S', 'Meta+S'],
  ['Mod+Shift+K', false, 'Ctrl Shift K', 'Control+Shift+K'],
  ['Ctrl+Alt+Delete', true, '⌃ ⌥ Delete', 'Control+Alt+Delete'],
  ['Esc', false, 'Esc', 'Escape'],
])('shortcut %s (Apple keyboard: %s) reads %j and is announced as %j', (shortcut, apple, label, aria) => {
  expect(shortcutLabel(shortcut, apple)).toBe(label)
  expect(ariaKeyShortcuts(shortcut, apple)).toBe(aria)
})
