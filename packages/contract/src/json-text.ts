/** A mistake in a JSON file, with its place. */
class JsonTextError extends Error {
  override readonly name = 'JsonTextError'
}

/**
 * Reads JSON that people edit.
 *
 * @param source The bytes of a file, or their text. A byte-order mark is ignored (RFC 8259, section 8.1), and marks
 *   UTF-16.
 * @returns The value, which its caller must validate.
 * @throws {JsonTextError} that names line, column and mistake. A repeated name of an object is a mistake as well.
 */
export function parseJsonText(source: string | Uint8Array): unknown {
  const text = (typeof source === 'string' ? source : textOf(source)).replace(/^\uFEFF/, '')
  if (text.trim() === '') throw new JsonTextError('it is empty')
  check(text)
  return JSON.parse(text)
}

function textOf(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  const isBigEndian = bytes[0] === 0xfe && bytes[1] === 0xff
  try {
    return new TextDecoder(isBigEndian ? 'utf-16be' : encoding, { fatal: true }).decode(bytes)
  } catch {
    throw new JsonTextError('it is not text in UTF-8')
  }
}

function placeIn(text: string, at: number): string {
  const lines = text.slice(0, at).split('\n')
  return `line ${lines.length}, column ${(lines.at(-1) ?? '').length + 1}`
}

/** Maximum depth of arrays and objects. */
const depthMost = 200

/** Throws the first mistake with its place, which the messages of JavaScript engines lack for some of them. */
function check(text: string): void {
  let at = 0

  const fail = (reason: string, place = at): never => {
    throw new JsonTextError(`${placeIn(text, place)}: ${reason}`)
  }

  function skip(): void {
    while (' \t\r\n'.includes(text[at] ?? 'x')) at += 1
    if (text[at] === '#' || (text[at] === '/' && '/*'.includes(text[at + 1] ?? 'x')))
      fail('JSON has no comments')
  }

  function unexpected(wanted: string): never {
    const found = text[at]
    if (found === undefined) return fail(`the text ends, but ${wanted} is missing`)
    if (found === "'" || found === '“' || found === '”' || found === '„')
      return fail(`texts have straight double quotes, not ${found}`)
    return fail(`expected ${wanted}, not ${JSON.stringify(found)}`)
  }

  function readText(): string {
    const start = at
    if (text[at] !== '"') unexpected('a name in double quotes')
    for (at += 1; text[at] !== '"'; at += 1) {
      const found = text[at]
      if (found === undefined || found === '\n' || found === '\r')
        fail('the double quote at the end of the text is missing', start)
      if (found !== undefined && found < ' ') fail('a text contains a control character: write it as \\u')
      if (found !== '\\') continue
      at += 1
      const isEscape =
        text[at] === 'u'
          ? /^[\da-f]{4}/i.test(text.slice(at + 1, at + 5))
          : /["\\/bfnrt]/.test(text[at] ?? '')
      if (!isEscape) fail('a backslash in a text is written twice: \\\\', at - 1)
    }
    at += 1
    return JSON.parse(text.slice(start, at)) as string
  }

  /** Reads items up to the closing bracket. */
  function readAll(end: '}' | ']', readItem: () => void): void {
    at += 1
    skip()
    if (text[at] === end) {
      at += 1
      return
    }
    for (;;) {
      readItem()
      skip()
      if (text[at] === end) break
      if (text[at] !== ',') unexpected(`a comma or ${end}`)
      const comma = at
      at += 1
      skip()
      if (text[at] === end) fail(`no comma may stand before ${end}`, comma)
    }
    at += 1
  }

  function readValue(depth: number): void {
    if (depth > depthMost) fail(`more than ${depthMost} brackets are open`)
    const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y
    scalar.lastIndex = at
    const names = new Set<string>()
    if (text[at] === '{')
      readAll('}', () => {
        const start = at
        const name = readText()
        if (names.has(name)) fail(`the name ${JSON.stringify(name)} occurs twice in one object`, start)
        names.add(name)
        skip()
        if (text[at] !== ':') unexpected(`a colon after ${JSON.stringify(name)}`)
        at += 1
        skip()
        readValue(depth + 1)
      })
    else if (text[at] === '[') readAll(']', () => readValue(depth + 1))
    else if (text[at] === '"') readText()
    else if (scalar.test(text)) at = scalar.lastIndex
    else unexpected('a value')
  }

  skip()
  readValue(0)
  skip()
  if (at < text.length) fail('the text continues behind its end')
}
