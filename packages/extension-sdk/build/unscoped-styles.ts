/*
 * The styles of an extension share the document with those of the console and of all other extensions. Class names of
 * CSS modules are unique. Any other selector may match foreign elements.
 */

/** Returns the prefix of an extension's CSS module class names. */
export const scopeOf = (extensionId: string) => `${extensionId}__`

/**
 * Returns the selectors of a built style sheet that reach beyond the extension, because they contain no class of it.
 *
 * @param css A bundler's output, without syntax errors.
 */
export function unscopedSelectors(css: string, scope: string): string[] {
  const found = new Set<string>()
  inspect(css.replaceAll(/\/\*[^]*?\*\//g, ''), (selector) => {
    if (!selector.includes(`.${scope}`)) found.add(selector)
  })
  return [...found]
}

/** At-rules whose blocks contain rules. */
const grouping = /^@(?:media|supports|layer|container|scope|starting-style)\b/

/** Calls back for each selector of the outermost rules. Nested rules apply only inside them. */
function inspect(css: string, onSelector: (selector: string) => void): void {
  let prelude = 0
  let at = 0
  while (at < css.length) {
    const end = skip(css, at)
    const character = css[at]
    if (character === ';') prelude = end
    if (character === '{') {
      const close = endOfBlock(css, at)
      const head = css.slice(prelude, at).trim()
      if (grouping.test(head)) inspect(css.slice(at + 1, close), onSelector)
      else if (!head.startsWith('@')) for (const selector of selectorsIn(head)) onSelector(selector)
      prelude = close + 1
      at = close + 1
    } else at = end
  }
}

/** Returns the index after a character, or after the whole string or escape sequence that begins there. */
function skip(css: string, at: number): number {
  const character = css[at]
  if (character === '\\') return at + 2
  if (character !== '"' && character !== "'") return at + 1
  let end = at + 1
  while (end < css.length && css[end] !== character) end += css[end] === '\\' ? 2 : 1
  return end + 1
}

function endOfBlock(css: string, open: number): number {
  let depth = 0
  for (let at = open; at < css.length; at = skip(css, at)) {
    if (css[at] === '{') depth += 1
    if (css[at] === '}') depth -= 1
    if (depth === 0) return at
  }
  return css.length
}

/** Splits a selector list at its commas, except inside `:is(…)` and `[…]`. */
function selectorsIn(head: string): string[] {
  const selectors: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < head.length; at = skip(head, at)) {
    if (head[at] === '(' || head[at] === '[') depth += 1
    if (head[at] === ')' || head[at] === ']') depth -= 1
    if (head[at] === ',' && depth === 0) {
      selectors.push(head.slice(start, at).trim())
      start = at + 1
    }
  }
  return [...selectors, head.slice(start).trim()].filter((selector) => selector !== '')
}
