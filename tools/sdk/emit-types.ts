import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, posix, relative, sep } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { outputOfFailure, root } from '../steps.ts'
import { readPackageJson, sdkDoors, workspaces } from './doors.ts'

/**
 * Writes the declarations of the SDK's doors into a folder, with those of the contract and the design system that they
 * speak of: `extension-sdk/src/index.d.ts`, `contract/src/index.d.ts` and so on. They refer to each other by path and to
 * installed packages by name, so that the folder works wherever it is.
 */
export async function emitTypes(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  // In the folder of the project, where the compiler finds the packages that the sources import.
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
      // What is found through node_modules would count as somebody else's, of which nothing is written.
      paths: Object.fromEntries(workspaceDoors().map(([specifier, source]) => [specifier, [from(source)]])),
    },
    files: sdkDoors().map(({ source }) => from(`packages/extension-sdk/${source}`)),
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
    const text = await readFile(path, 'utf8')
    await writeFile(path, withPaths(text, name.split(sep).join('/')))
  }
}

/** Each module by which the packages of the project import each other, with its source. */
function workspaceDoors(): [specifier: string, source: string][] {
  return Object.entries(workspaces).flatMap(([name, folder]) =>
    Object.entries(readPackageJson(join(root, 'packages', folder)).exports).map(([key, target]) => [
      `${name}${key.slice(1)}`,
      posix.join('packages', folder, target),
    ]),
  )
}

/** A declaration file with the specifiers that a stranger's compiler can follow. */
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
  const source = workspaceDoors().find(([name]) => name === specifier)?.[1]
  if (source === undefined) return undefined
  const target = posix.relative(posix.join('packages', posix.dirname(path)), source.replace(/\.tsx?$/, '.js'))
  return target.startsWith('.') ? target : `./${target}`
}
