type Rgb = readonly [red: number, green: number, blue: number]

function parseHex(hex: string): Rgb | undefined {
  const match = /^#(?:([\da-f]{3})|([\da-f]{6}))$/i.exec(hex.trim())
  const digits = match?.[1]?.replace(/./g, '$&$&') ?? match?.[2]
  if (digits === undefined) return undefined
  const value = Number.parseInt(digits, 16)
  return [value >> 16, (value >> 8) & 0xff, value & 0xff]
}

function linear(channel: number): number {
  const share = channel / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

// https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
function luminance([red, green, blue]: Rgb): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/**
 * Returns the WCAG contrast of two colours, 1 to 21, or undefined if one of them is not `#rgb` or `#rrggbb`.
 *
 * https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio
 */
export function contrastRatio(first: string, second: string): number | undefined {
  const [one, other] = [parseHex(first), parseHex(second)]
  if (!one || !other) return undefined
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/**
 * Returns black or white, whichever has more contrast to the given `#rgb` or `#rrggbb` colour: always 4.5:1 or more.
 * An invalid colour counts as the console's default `#444`, so the result is white.
 */
export function contrastText(hex: string): '#000000' | '#ffffff' {
  const onBlack = contrastRatio(hex, '#000000')
  const onWhite = contrastRatio(hex, '#ffffff')
  return onBlack !== undefined && onWhite !== undefined && onBlack > onWhite ? '#000000' : '#ffffff'
}
