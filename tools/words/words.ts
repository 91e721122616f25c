/** A word that the project does not use, and what to write instead (docs/words.md). */
interface Forbidden {
  word: string
  instead: string
}

const of = (instead: string, ...words: string[]): Forbidden[] => words.map((word) => ({ word, instead }))

/** Single words, which names in code may not contain either: `isToldAnew` has two of them. */
const words: readonly Forbidden[] = [
  ...of('the role: user, owner, root, caller, client', 'somebody', 'someone', 'anybody', 'nobody'),
  ...of('the role, in the plural', 'everybody'),
  ...of('a noun, or "any … that"', 'whoever', 'whomever', 'whatever'),
  ...of('again, reload, new', 'anew'),
  ...of('publish, notify, report, distinguish', 'tell', 'tells', 'told', 'telling'),
  ...of('state, show, report, return', 'say', 'says', 'said', 'saying'),
  ...of('receive, received, last seen', 'hear', 'hears', 'heard'),
  ...of('action', 'deed', 'deeds'),
  ...of('entry point, gateway, endpoint', 'door', 'doors'),
  ...of('load, import, deliver, include', 'brought'),
  ...of('fix, repair', 'mend', 'mends', 'mended'),
  ...of('then', 'whereupon', 'thereby'),
  ...of('so that … not', 'lest'),
]

const phrases: readonly Forbidden[] = [
  ...of('no user, no client', 'no one'),
  ...of('the subject itself', 'a matter of'),
  ...of('again', 'once more'),
  ...of('permanently', 'for good'),
  ...of('immediately; at the same time; in one transaction', 'at once', 'in one go'),
  ...of('deadline, within', 'at the latest'),
  ...of('idempotent, each repeat', 'however often'),
  ...of('"its own …", separate', 'of its own', 'of their own', 'of his own', 'of her own', 'of our own'),
  ...of('automatically, alone', 'by itself'),
  ...of('while, as long as', 'so long as'),
  ...of('no longer', 'any more'),
  ...of('continue', 'go on', 'goes on', 'going on', 'went on'),
  ...of('ends, has ended', 'is over'),
  ...of('heartbeat', 'sign of life'),
  ...of('preload, prefetch', 'head start'),
  ...of('reject', 'turn away', 'turns away', 'turned away'),
  ...of('return, release', 'give back', 'gives back', 'gave back'),
  ...of('claim, remove, revoke', 'take away', 'takes away', 'taken away'),
]

/** American spellings, which prose does not use. Names in code follow the web platform. */
const american: readonly Forbidden[] = [
  ...of('organisation', 'organization', 'organizations'),
  ...of('behaviour', 'behavior', 'behaviors'),
  ...of('enrolment', 'enrollment'),
  ...of('cancelled', 'canceled'),
  ...of('catalogue', 'catalog', 'catalogs'),
  ...of('grey', 'gray'),
]

/** Matches one of the words at a time. A line break may stand between the words of a phrase. */
const patternOf = (list: readonly Forbidden[], { afterLetter }: { afterLetter: string }) =>
  new RegExp(
    `(?<!${afterLetter})(?:${list.map(({ word }) => word.replaceAll(' ', String.raw`(?:\s|\*|//|#)+`)).join('|')})(?!${afterLetter})`,
    'giu',
  )

const wordPattern = patternOf(words, { afterLetter: String.raw`\p{L}` })
const phrasePattern = patternOf(phrases, { afterLetter: String.raw`[\p{L}\d_-]` })
const americanPattern = patternOf(american, { afterLetter: String.raw`[\p{L}\d_/-]` })

const known = new Map([...words, ...phrases, ...american].map(({ word, instead }) => [word, instead]))

/** Separates the parts of camel-case names without moving any character to another line. */
const separated = (text: string) => text.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')

/** Names and quoted texts that contain a forbidden word because another product or a stored schema chose it. */
export interface Exception {
  path: RegExp
  text: string
}

export interface WordProblem {
  path: string
  line: number
  message: string
}

/** Finds forbidden words in prose, strings and names. */
export function inspectWords(
  { path, text }: { path: string; text: string },
  exceptions: readonly Exception[],
): WordProblem[] {
  const read = exceptions
    .filter((exception) => exception.path.test(path))
    .reduce((rest, exception) => rest.replaceAll(exception.text, ''), text)
  const isProse = path.endsWith('.md')
  const found = [
    ...matchesOf(wordPattern, separated(read)),
    ...matchesOf(phrasePattern, read),
    ...(isProse ? matchesOf(americanPattern, read) : []),
  ]
  return found.map(({ word, line }) => ({
    path,
    line,
    message: `"${word}": ${known.get(word) ?? 'see docs/words.md'}`,
  }))
}

const matchesOf = (pattern: RegExp, text: string) =>
  [...text.matchAll(pattern)].map((match) => ({
    word: match[0].toLowerCase().replaceAll(/[\s*/#]+/g, ' '),
    line: text.slice(0, match.index).split('\n').length,
  }))
