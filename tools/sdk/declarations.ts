import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'

/** A name that a declaration file declares or re-exports. */
export interface Declaration {
  name: string
  file: string
  /** The source without `export declare`, with its inner comments. */
  text: string
  /** The source without comments. */
  signature: string
  /** Docstring without asterisks; empty without one. */
  docs: string
}

type Statement = ESTree.Program['body'][number]
type Found = Declaration | { from: string; name: string }

interface DeclarationFile {
  /** By exported name: the declaration, or the file that exports it. */
  exported: Map<string, Found>
  /** By local name, exported or not. */
  local: Map<string, Found>
  /** Files whose exports are all re-exported. */
  reExported: string[]
}

const files = new Map<string, DeclarationFile>()

/** Returns every exported name of a declaration module with its declaration. */
export function exportsOf(file: string): Map<string, Declaration> {
  const { exported, reExported } = read(file)
  const all = new Map<string, Declaration>(reExported.flatMap((from) => [...exportsOf(from)]))
  for (const [name, found] of exported) {
    const declaration = 'from' in found ? exportsOf(found.from).get(found.name) : found
    if (declaration === undefined) throw new Error(`${file} exports ${name}, which has no declaration`)
    all.set(name, { ...declaration, name })
  }
  return all
}

/** Returns unexported declarations that the given ones refer to. A change of these also changes the API. */
export function behind(declarations: readonly Declaration[]): Declaration[] {
  const known = new Map(declarations.map((each) => [`${each.file} ${each.signature}`, each]))
  const added: Declaration[] = []
  for (const declaration of known.values()) {
    for (const name of typeNamesIn(declaration.signature)) {
      const spokenOf = resolve(declaration.file, name)
      const key = spokenOf && `${spokenOf.file} ${spokenOf.signature}`
      if (spokenOf === undefined || key === undefined || known.has(key)) continue
      known.set(key, spokenOf)
      added.push(spokenOf)
    }
  }
  return added
}

function resolve(file: string, name: string): Declaration | undefined {
  const found = read(file).local.get(name)
  return found !== undefined && 'from' in found ? exportsOf(found.from).get(found.name) : found
}

function typeNamesIn(signature: string): Set<string> {
  const names = new Set<string>()
  new Visitor({
    TSTypeReference: (node) => {
      if (node.typeName.type === 'Identifier') names.add(node.typeName.name)
    },
    TSTypeQuery: (node) => {
      if (node.exprName.type === 'Identifier') names.add(node.exprName.name)
    },
    TSInterfaceHeritage: (node) => {
      if (node.expression.type === 'Identifier') names.add(node.expression.name)
    },
  }).visit(parseSync('signature.d.ts', `declare ${signature}`).program)
  return names
}

function read(file: string): DeclarationFile {
  const known = files.get(file)
  if (known !== undefined) return known
  const source = readFileSync(file, 'utf8')
  const { program, comments } = parseSync(file, source)
  const content: DeclarationFile = { exported: new Map(), local: new Map(), reExported: [] }
  files.set(file, content)
  for (const statement of program.body) readStatement(statement)
  return content

  function readStatement(statement: Statement): void {
    if (statement.type === 'ImportDeclaration') {
      const from = fileAt(file, statement.source.value)
      if (from === undefined) return
      for (const specifier of statement.specifiers)
        if (specifier.type === 'ImportSpecifier')
          content.local.set(specifier.local.name, { from, name: nameOf(specifier.imported) })
    } else if (statement.type === 'ExportAllDeclaration') {
      const from = fileAt(file, statement.source.value)
      if (statement.exported !== null) declareGroup(nameOf(statement.exported), statement, from)
      else if (from !== undefined) content.reExported.push(from)
    } else if (statement.type === 'ExportNamedDeclaration' && statement.declaration === null) {
      const from = statement.source === null ? undefined : fileAt(file, statement.source.value)
      for (const specifier of statement.specifiers) {
        const [name, exported] = [nameOf(specifier.local), nameOf(specifier.exported)]
        const found = from === undefined ? content.local.get(name) : { from, name }
        if (found !== undefined) content.exported.set(exported, found)
        else if (statement.source !== null) declare(exported, statement, true)
      }
    } else {
      const isExported = statement.type === 'ExportNamedDeclaration'
      const declared = isExported ? statement.declaration : statement
      for (const name of namesIn(declared)) declare(name, statement, isExported)
    }
  }

  function declare(name: string, statement: Statement, isExported: boolean): void {
    const before = content.local.get(name)
    const { start, end } = statement
    const written = { name, file, text: clean(source.slice(start, end)), docs: docsBefore(start) }
    const one = { ...written, signature: clean(withoutComments(start, end)) }
    // An overloaded function is declared several times.
    const declaration =
      before === undefined || 'from' in before
        ? one
        : {
            ...before,
            text: `${before.text}\n${one.text}`,
            signature: `${before.signature}\n${one.signature}`,
          }
    content.local.set(name, declaration)
    if (isExported) content.exported.set(name, declaration)
  }

  /** All exports of another module under one name. */
  function declareGroup(name: string, statement: Statement, from: string | undefined): void {
    declare(name, statement, true)
    const group = content.exported.get(name)
    if (group === undefined || 'from' in group || from === undefined) return
    const members = [...exportsOf(from).keys()].toSorted().join(', ')
    const text = `export * as ${name} // ${members}`
    content.exported.set(name, { ...group, text, signature: text })
  }

  function docsBefore(start: number): string {
    const comment = comments.findLast(({ end }) => end <= start)
    if (comment === undefined || source.slice(comment.end, start).trim() !== '') return ''
    if (!comment.value.startsWith('*')) return ''
    return comment.value
      .replace(/^\*/, '')
      .replaceAll(/^[ \t]*\* ?/gm, '')
      .trim()
  }

  function withoutComments(start: number, end: number): string {
    const inside = comments.filter((comment) => comment.start >= start && comment.end <= end)
    return inside
      .toReversed()
      .reduce(
        (text, comment) => text.slice(0, comment.start - start) + text.slice(comment.end - start),
        source.slice(start, end),
      )
      .replaceAll(/\n\s*(?=\n)/g, '')
  }
}

/** Formats a declaration for readers: without common keywords and file paths. */
const clean = (text: string) =>
  text
    .replace(/^export (?:declare )?(?=[a-z]+ [\w{])/, '')
    .replaceAll(/import\(['"]\.[^)]*\)\./g, '')
    .replaceAll(/ {4}/g, '  ')

function namesIn(declared: ESTree.Declaration | Statement | null): string[] {
  if (declared?.type === 'VariableDeclaration')
    return declared.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []))
  return declared !== null && 'id' in declared && declared.id?.type === 'Identifier' ? [declared.id.name] : []
}

const nameOf = (name: { type: string; name?: string; value?: unknown }) => name.name ?? String(name.value)

/** Returns the declarations of an imported module in this folder; undefined for an installed package. */
function fileAt(importer: string, specifier: string): string | undefined {
  const path = join(dirname(importer), specifier.replace(/\.js$/, '.d.ts'))
  return specifier.startsWith('.') && existsSync(path) ? path : undefined
}
