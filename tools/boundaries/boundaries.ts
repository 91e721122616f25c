import { type FileRule, fileRules } from './file-rules.ts'
import { type Import, scanImports, sourceFile } from './imports.ts'
import { type Manifest, resolveImport } from './manifests.ts'
import { type ImportRule, importRules } from './rules.ts'

export interface ProjectFile {
  /** Relative to the project's root, with forward slashes. */
  path: string
  /** Required for source files only. */
  text: string
}

export type RuleName = ImportRuleName | FileRuleName

export interface Violation {
  rule: RuleName
  path: string
  line: number
  message: string
}

export interface Inspection {
  violations: Violation[]
  imports: number
}

type ImportRuleName = keyof typeof importRules
type FileRuleName = keyof typeof fileRules

const importRuleEntries = Object.entries(importRules) as [ImportRuleName, ImportRule][]
const fileRuleEntries = Object.entries(fileRules) as [FileRuleName, FileRule][]

export const ruleNames: RuleName[] = [...importRuleEntries, ...fileRuleEntries].map(([name]) => name)

export function inspect(files: ProjectFile[], manifests: Manifest[]): Inspection {
  const inspections = files.map((file) => inspectFile(file, manifests))
  return {
    violations: inspections.flatMap((each) => each.violations),
    imports: inspections.reduce((total, each) => total + each.imports, 0),
  }
}

function inspectFile({ path, text }: ProjectFile, manifests: Manifest[]): Inspection {
  const scan = sourceFile.test(path) ? scanImports(path, text) : null
  const violations = fileRuleEntries.flatMap(([rule, judge]) => {
    const message = judge(path, scan, manifests)
    return message === null ? [] : [{ rule, path, line: 1, message }]
  })
  const imports = scan?.imports ?? []
  return {
    violations: [...violations, ...imports.flatMap((imported) => inspectImport(path, imported, manifests))],
    imports: imports.length,
  }
}

function inspectImport(importer: string, imported: Import, manifests: Manifest[]): Violation[] {
  const target = resolveImport(importer, imported.specifier, manifests)
  return importRuleEntries.flatMap(([rule, judge]) => {
    const problem = judge({ importer, imported, target, manifests })
    if (problem === null) return []
    return [{ rule, path: importer, line: imported.line, message: `${imported.specifier}: ${problem}` }]
  })
}
