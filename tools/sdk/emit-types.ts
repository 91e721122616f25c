import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, posix, relative, sep } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { outputOfFailure, root } from '../steps.ts'
import { readPackageJson, sdkEntryPoints, workspaces } from './entry-points.ts'

/**
 * Writes the declarations of the SDK's entry points into a folder, with those of the contract and the design system
 * that they refer to: `extension-sdk/src/index.d.ts`, `contract/src/index.d.ts` and so on. They import each other by
 * path and installed packages by name, so the folder works anywhere.
 */
export async function emitTypes(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  // In the project's folder, where the compiler finds the packages that the sources import.
  const project = `${folder}.tsconfig.json`
  const from = (path: string) => relative(dirname(project), join(root, path)).split(sep).join('/')
  const configuration = {
    extends: from('packages/extension-sdk/tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: from('packages'),
      outDir: relative(dirname(project), folder),
      // Modules found through node_modules would count as external, so their declarations would not be written.
      paths: Object.fromEntries(
        workspaceEntryPoints().map(([specifier, source]) => [specifier, [from(source)]]),
      ),
    },
    files: sdkEntryPoints().map(({ source }) => from(`packages/extension-sdk/${source}`)),
    include: [],
  }
  await writeFile(project, JSON.stringify(configuration))
  const program = join(root, 'node_modules/.bin/tsc')
  const failure = await outputOfFailure({ program, args: ['-p', project] })
  await rm(project)
  if (failure !== null) throw new Error(failure)
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(folder, name)
    const text = (await readFile(path, 'utf8')).replace(styleImport, '')
    await writeFile(path, withPaths(text, name.split(sep).join('/')))
  }
}

/** The compiler keeps imports of styles, which declare nothing, and whose files are not next to the declarations. */
const styleImport = /^import '[^']+\.css';\n/gm

/** Returns the module names by which the project's packages import each other, with their sources. */
function workspaceEntryPoints(): [specifier: string, source: string][] {
  return Object.entries(workspaces).flatMap(([name, folder]) =>
    Object.entries(readPackageJson(join(root, 'packages', folder)).exports).map(([key, target]) => [
      `${name}${key.slice(1)}`,
      posix.join('packages', folder, target),
    ]),
  )
}

/** Rewrites the specifiers of a declaration file for compilers outside of this project. */
function withPaths(text: string, path: string): string {
  const found = specifiersIn(text)
  return found.toReversed().reduce((written, { value, start, end }) => {
    const target = targetOf(value, path)
    if (target === undefined) return written
    return `${written.slice(0, start)}'${target}'${written.slice(end)}`
  }, text)
}

interface Specifier {
  value: string
  start: number
  end: number
}

function specifiersIn(text: string): Specifier[] {
  const found: Specifier[] = []
  const add = (source: { value: unknown; start: number; end: number } | null) => {
    if (typeof source?.value === 'string')
      found.push({ value: source.value, start: source.start, end: source.end })
  }
  new Visitor({
    ImportDeclaration: (node) => add(node.source),
    ExportNamedDeclaration: (node) => add(node.source),
    ExportAllDeclaration: (node) => add(node.source),
    TSImportType: (node) => add(node.source),
  }).visit(parseSync('declaration.d.ts', text).program)
  return found.toSorted((a, b) => a.start - b.start)
}

function targetOf(specifier: string, path: string): string | undefined {
  if (specifier.startsWith('.')) return specifier.replace(/\.tsx?$/, '.js')
  const source = workspaceEntryPoints().find(([name]) => name === specifier)?.[1]
  if (source === undefined) return undefined
  const target = posix.relative(posix.join('packages', posix.dirname(path)), source.replace(/\.tsx?$/, '.js'))
  return target.startsWith('.') ? target : `./${target}`
}
