import { parseSync, Visitor } from 'rolldown/utils'

export interface Import {
  specifier: string
  line: number
  /** True if the compiler erases the import. `import { type A }` is not erased: it still loads the module. */
  typeOnly: boolean
  /** The imported names. Empty for a whole module and for a type of it. */
  names: string[]
}

export interface Scan {
  imports: Import[]
  exportsDefault: boolean
  /** The first line that keeps the present by the system's clock; null for none. */
  keptPresent: number | null
  syntaxError: string | null
}

export const sourceFile = /\.[cm]?[jt]sx?$/

export function scanImports(path: string, text: string): Scan {
  const { program, module, errors } = parseSync(path, text)
  const imports: Import[] = []
  let keptPresent: number | null = null
  const add = (source: { value: unknown; start: number } | null, typeOnly: boolean, names: string[] = []) => {
    if (typeof source?.value !== 'string') return
    imports.push({ specifier: source.value, line: lineAt(text, source.start), typeOnly, names })
  }
  const keep = (value: { start: number; end: number } | null) => {
    if (value !== null && text.slice(value.start, value.end) === 'Date.now()')
      keptPresent ??= lineAt(text, value.start)
  }
  new Visitor({
    ImportDeclaration: (node) =>
      add(
        node.source,
        node.importKind === 'type',
        node.specifiers.flatMap((each) =>
          each.type === 'ImportSpecifier' && 'name' in each.imported ? [each.imported.name] : [],
        ),
      ),
    ExportNamedDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ExportAllDeclaration: (node) => add(node.source, node.exportKind === 'type'),
    ImportExpression: (node) => add('value' in node.source ? node.source : null, false),
    TSImportType: (node) => add(node.source, true),
    VariableDeclarator: (node) => keep(node.init),
    AssignmentExpression: (node) => keep(node.right),
  }).visit(program)
  return {
    imports,
    exportsDefault: module.staticExports.some(({ entries }) =>
      entries.some(({ exportName }) => exportName.kind === 'Default'),
    ),
    keptPresent,
    syntaxError: errors[0]?.message ?? null,
  }
}

function lineAt(text: string, offset: number) {
  return text.slice(0, offset).split('\n').length
}
