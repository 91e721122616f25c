import { posix } from 'node:path'
import type { ProjectFile } from '../boundaries/boundaries.ts'
import { identifier, lineAt, literal, type Node, nodesOf, propertiesOf } from './syntax.ts'

export interface TextProblem {
  rule: TextRule
  path: string
  line: number
  message: string
}

export const textRules = [
  'every-language',
  'own-name',
  'same-texts',
  'overrides-only',
  'used',
  'in-a-catalogue',
  'formal-german',
] as const
export type TextRule = (typeof textRules)[number]

const languages = ['en', 'de-DE'] as const
const catalogueFile = /\.texts(?:\.(?<language>en|de-DE))?\.ts$/
const consoleSource = 'apps/console/src/'
const spoken = /^(?:apps\/console\/src|packages\/extension-sdk\/src|extensions\/[^/]+\/src)\//

/** Finds problems in the texts of the console, the SDK and the bundled extensions, and counts the texts. */
export function inspectTexts(files: readonly ProjectFile[]): { problems: TextProblem[]; texts: number } {
  const written = files.filter(
    ({ path }) => spoken.test(path) && !/\.test\.tsx?$|\/testing\//.test(path) && /\.tsx?$/.test(path),
  )
  const byPath = new Map(written.map((file) => [file.path, file]))
  const rooms = written.filter(
    ({ path }) => catalogueFile.exec(path)?.groups?.['language'] === undefined && catalogueFile.test(path),
  )
  const code = written.filter(({ path }) => !catalogueFile.test(path))
  const catalogues = rooms.map((file) => ({ file, ...readCatalogue(file) }))
  return {
    problems: [
      ...catalogues.flatMap((each) => inspectRoom(each, byPath, code)),
      ...written.filter(({ path }) => path.endsWith('.texts.de-DE.ts')).flatMap(formality),
      ...code.flatMap(strayTexts),
      ...code.flatMap(inlineCatalogues),
    ],
    texts: catalogues.reduce((sum, { texts }) => sum + leavesOf(texts).length, 0),
  }
}

/** Texts by name with their source. Groups of texts are nested. */
interface Texts {
  [name: string]: Texts | string
}

interface Catalogue {
  /** The room's name in `textsOf`; undefined for files that contain the catalogues of all languages. */
  room: string | undefined
  texts: Texts
}

/** Returns the catalogue that a file declares. */
function readCatalogue({ path, text }: ProjectFile): Catalogue {
  for (const { node } of nodesOf(path, text)) {
    const [room, texts] = (node['arguments'] as Node[] | undefined) ?? []
    if (identifier(node['callee']) === 'textsOf' && propertiesOf(texts) !== undefined)
      return { room: literal(room), texts: textsIn(texts, text) }
    if (
      ['de', 'en', 'deDE'].includes(identifier(node['id']) ?? '') &&
      propertiesOf(node['init']) !== undefined
    )
      return { room: undefined, texts: textsIn(node['init'], text) }
  }
  return { room: undefined, texts: {} }
}

const textsIn = (object: unknown, text: string): Texts =>
  Object.fromEntries(
    [...(propertiesOf(object) ?? [])].map(([name, value]) => {
      const { start, end } = value as Node
      return [
        name,
        propertiesOf(value) ? textsIn(value, text) : text.slice(start, end).replaceAll(/\s+/g, ' '),
      ]
    }),
  )

/** Returns the text at a path such as `events.login`. */
const textAt = (texts: Texts, leaf: readonly string[]) =>
  leaf.reduce<Texts | string | undefined>((at, name) => (typeof at === 'object' ? at[name] : at), texts)

/** Returns the texts of `en` that equal the default ones, because `en` holds overrides only. */
const repeatedIn = (texts: Texts, english: Texts): string[] =>
  leavesOf(english)
    .filter((leaf) => textAt(texts, leaf) === textAt(english, leaf))
    .map((leaf) => leaf.join('.'))

/** Returns the path of every text, such as `events.login`. */
const leavesOf = (texts: Texts): string[][] =>
  Object.entries(texts).flatMap(([name, inner]) =>
    typeof inner === 'string' ? [[name]] : leavesOf(inner).map((rest) => [name, ...rest]),
  )

function inspectRoom(
  { file, room, texts }: Catalogue & { file: ProjectFile },
  byPath: ReadonlyMap<string, ProjectFile>,
  code: readonly ProjectFile[],
): TextProblem[] {
  const { path } = file
  const name = nameOf(file)
  const problem = (rule: TextRule, message: string): TextProblem => ({ rule, path, line: 1, message })
  const problems: TextProblem[] = []
  // A file without a room has the catalogues of all languages, like those of an extension. The console collects its
  // catalogues by name.
  if (path.startsWith(consoleSource) && room !== undefined && room !== name)
    problems.push(problem('own-name', `textsOf needs the name ${name}`))
  const own = leavesOf(texts).map((leaf) => leaf.join('.'))

  for (const language of languages) {
    const translated = byPath.get(path.replace(/\.ts$/, `.${language}.ts`))
    if (translated === undefined) {
      if (language !== 'en')
        problems.push(problem('every-language', `there is no ${name}.texts.${language}.ts`))
      continue
    }
    const others = readCatalogue(translated).texts
    const there = leavesOf(others).map((leaf) => leaf.join('.'))
    const missing = language === 'en' ? [] : own.filter((leaf) => !there.includes(leaf))
    const left = there.filter((leaf) => !own.includes(leaf))
    if (missing.length + left.length > 0)
      problems.push(problem('same-texts', `${language} differs: ${[...missing, ...left].join(', ')}`))
    const repeated = language === 'en' ? repeatedIn(texts, others) : []
    if (repeated.length > 0 || there.length === 0)
      problems.push(problem('overrides-only', `en repeats the default: ${repeated.join(', ')}`))
  }
  return [...problems, ...unused(file, texts, code).map((leaf) => problem('used', `no code uses ${leaf}`))]
}

/** The texts and uses found in a file. */
interface Usage {
  /** Property names that the file reads. */
  read: Set<string>
  /** Paths that are not continued by a further name. All texts below them count as used. */
  whole: Set<string>
  literals: Set<string>
  /** Variables whose properties are read by a computed name. */
  lookedUp: Set<string>
}

const usages = new WeakMap<ProjectFile, Usage>()

function usageOf(file: ProjectFile): Usage {
  const known = usages.get(file)
  if (known !== undefined) return known
  const usage: Usage = { read: new Set(), whole: new Set(), literals: new Set(), lookedUp: new Set() }
  for (const { node, parent } of nodesOf(file.path, file.text)) {
    const name = nameReadBy(node)
    if (name !== undefined) usage.read.add(name)
    if (name !== undefined && (parent['object'] !== node || parent['computed'] === true))
      usage.whole.add(name)
    const value = literal(node) ?? (node.type === 'Property' ? identifier(node['key']) : undefined)
    if (value !== undefined) usage.literals.add(value)
    const variable = node['computed'] === true ? identifier(node['object']) : undefined
    if (variable !== undefined) usage.lookedUp.add(variable)
  }
  usages.set(file, usage)
  return usage
}

/**
 * Returns texts that no code of the same package uses. For computed names (`texts[state]`), any string literal of the
 * package may be the name.
 */
function unused(file: ProjectFile, texts: Texts, code: readonly ProjectFile[]): string[] {
  const folder = file.path.split('/').slice(0, 2).join('/')
  // The console also uses some texts of the SDK.
  const isShared = folder === 'packages/extension-sdk'
  const own = [file, ...code].filter(({ path }) => isShared || path.startsWith(`${folder}/`))
  const reads = (name: string) => own.some((each) => usageOf(each).read.has(name))
  const readsAll = (group: string) => own.some((each) => usageOf(each).whole.has(group))
  const isComputed = own.some((each) => {
    const alias = aliasIn(each, nameOf(file))
    // The SDK's components get their texts from a hook and call them texts.
    return [...usageOf(each).lookedUp].some((name) => name === alias || (isShared && /texts$/i.test(name)))
  })
  const isRead = (leaf: readonly string[]) =>
    leaf.every((name, depth) => reads(name) || leaf.slice(0, depth).some(readsAll)) ||
    (isComputed && own.some((each) => usageOf(each).literals.has(leaf[0] ?? '')))
  return leavesOf(texts)
    .filter((leaf) => !isRead(leaf))
    .map((leaf) => leaf.join('.'))
}

/** Returns the name under which a file imports a room's texts. */
function aliasIn({ text }: ProjectFile, room: string): string | undefined {
  const imported = new RegExp(
    `import \\{[^}]*\\btexts(?: as (\\w+))?\\b[^}]*\\} from '[^']*/${room}\\.texts\\.ts'`,
  ).exec(text)
  return imported === null ? undefined : (imported[1] ?? 'texts')
}

const nameOf = ({ path }: ProjectFile) => posix.basename(path, '.texts.ts')

/** Returns names used as `texts.title`, `texts['title']` or `{ title } = texts`, if they are literal. */
function nameReadBy(node: Node): string | undefined {
  if (node.type === 'MemberExpression')
    return node['computed'] === true ? literal(node['property']) : identifier(node['property'])
  if (node.type !== 'ObjectPattern') return undefined
  return identifier((node['properties'] as Node[])[0]?.['key'])
}

const attributes = new Set(['label', 'title', 'placeholder', 'text', 'description', 'aria-label', 'alt'])

/** Finds words in the code itself, which cannot be translated. */
function strayTexts({ path, text }: ProjectFile): TextProblem[] {
  if (!path.endsWith('.tsx')) return []
  return [...nodesOf(path, text)].flatMap(({ node, parent }): TextProblem[] => {
    const name = (parent['name'] as { name?: unknown } | undefined)?.name
    const inAttribute = parent.type === 'JSXAttribute' && attributes.has(String(name))
    const words = node.type === 'JSXText' ? String(node['value']) : inAttribute ? (literal(node) ?? '') : ''
    if (!/\p{L}{2}/u.test(words)) return []
    const line = lineAt(text, node.start)
    return [{ rule: 'in-a-catalogue', path, line, message: `“${words.trim()}” belongs in a catalogue` }]
  })
}

/** SDK components with two or three texts declare them inline. */
function inlineCatalogues({ path, text }: ProjectFile): TextProblem[] {
  if (path.startsWith(consoleSource)) return []
  return [...nodesOf(path, text)].flatMap(({ node }): TextProblem[] => {
    const properties = propertiesOf(node)
    if (properties?.has('de') !== true) return []
    const line = lineAt(text, node.start)
    const repeated = repeatedIn(textsIn(properties.get('de'), text), textsIn(properties.get('en'), text))
    return [
      ...(properties.has('de-DE')
        ? []
        : [{ rule: 'every-language' as const, path, line, message: 'the catalogue lacks de-DE' }]),
      ...repeated.map((leaf) => ({
        rule: 'overrides-only' as const,
        path,
        line,
        message: `en repeats the default: ${leaf}`,
      })),
    ]
  })
}

/** German texts use Sie and German quotation marks. */
function formality({ path, text }: ProjectFile): TextProblem[] {
  const informal = /\b(?:[Dd]u|[Dd]ich|[Dd]ir|[Dd]ein(?:e[mnrs]?)?|[Ee]uch|[Ee]uere?[mnrs]?)\b|["”]/u
  return text.split('\n').flatMap((line, index): TextProblem[] => {
    const found = informal.exec(line)?.[0]
    return found === undefined
      ? []
      : [{ rule: 'formal-german', path, line: index + 1, message: `contains ${found}` }]
  })
}
