import { parseSync, Visitor } from 'rolldown/utils'

export interface Expression {
  source: string
  flags: string
  line: number
}

/** Returns the literal regular expressions of a file. */
export function expressionsIn(path: string, text: string): Expression[] {
  const found: Expression[] = []
  new Visitor({
    Literal(node) {
      if (!('regex' in node)) return
      const { pattern, flags } = node.regex
      found.push({ source: pattern, flags, line: text.slice(0, node.start).split('\n').length })
    },
  }).visit(parseSync(path, text).program)
  return found
}

/** The parts of an expression that match one character. */
const atom =
  /\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\[^kbB\d]|\[(?:\\.|[^\]\\])*\]|[^()|?*+{}^$[\]\\]/g

/** Two or more literal characters that follow each other. */
const words = /(?<!\\[pPukx]?\{?[\w<]*)[\w<>"'/:=-]{2,}/g

/** One character of each kind that the expressions distinguish. */
const characters = [
  ...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)),
  ...Array.from(
    '\x85\xa0\xad\xb7éßяΩ漢あกक\u094dא\u0660\uff10\u0301\u0315\u061c\u115f\u180e\u200b\u200c\u200d',
  ),
  ...Array.from('\u200e\u2028\u202e\u2066\u20e3\u2800\u3000\ufe0f\ufeff\ufff9\ue000\u0378'),
  '\ud800',
  '\u{1f468}',
  '\u{1f3f4}',
  '\u{1f1e6}',
  '\u{e0061}',
  '\u{e007f}',
]

/** A part that repeats without a limit; a repeated group hides its parts. */
const repeated = new RegExp(`(?:${atom.source})(?=[*+]|\\{\\d+,\\})`, 'g')
const repeatedGroup = /\)(?:[*+]|\{\d+,\})/

/** More kinds than this are those of a list of words. */
const kindsMost = 12

function kindsOf(parts: readonly string[], flags: string): string[] {
  const matchers = [...new Set(parts)].flatMap((part) => {
    try {
      return [new RegExp(`^(?:${part})$`, flags.replace(/[gy]/g, ''))]
    } catch {
      return []
    }
  })
  const byKind = new Map<string, string>()
  for (const character of characters) {
    const kind = matchers.map((matcher) => (matcher.test(character) ? 1 : 0)).join('')
    if (!byKind.has(kind)) byKind.set(kind, character)
  }
  return [...byKind.values()].slice(0, kindsMost)
}

/**
 * Returns one text of each kind that the parts of an expression distinguish: characters, and its literal words. `repeated`
 * are the kinds of the parts that repeat without a limit.
 */
export function partsOf({ source, flags }: Expression): { all: string[]; repeated: string[] } {
  const atoms = source.match(atom) ?? []
  const isGroup = repeatedGroup.test(source)
  return {
    all: [...kindsOf(atoms, flags), ...(source.match(words) ?? []).slice(0, kindsMost)],
    repeated: kindsOf(isGroup ? atoms : (source.match(repeated) ?? []), flags),
  }
}

/** Runs an expression to its first match, or to all matches if its flags ask for them. */
export function run({ source, flags }: Expression): (text: string) => void {
  const expression = new RegExp(source, flags)
  return (text) => {
    expression.lastIndex = 0
    if (expression.global) text.replace(expression, '')
    else expression.test(text)
  }
}
