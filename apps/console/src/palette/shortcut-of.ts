/** Formats a hotkey definition, `mod+shift+m`, for display: `Mod+Shift+M`. */
export const shortcutOf = (keys: string): string =>
  keys
    .split('+')
    .map((key) => (key.length === 1 ? key.toUpperCase() : key.charAt(0).toUpperCase() + key.slice(1)))
    .join('+')
