import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import nodeModule from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  bundledIds,
  cardsInVain,
  type ExtensionManifest,
  extensionManifest,
  sdkVersion,
} from '@pult/contract'
import { satisfies, validRange } from 'semver'
import { build, resolveConfig } from 'vite'
import { readAuthorManifest } from './author-manifest.ts'
import { withEntry } from './load-entry.ts'
import { problemsOfEntry } from './registered-parts.ts'

/**
 * Checks an extension like a server and a console: its manifest and types, then the built entry and all modules that it
 * loads. Returns the folder of the build. Throws an error that lists the problems, one per line.
 *
 * @param root Folder with the vite.config and the manifest of the extension.
 */
export async function checkExtension(root: string): Promise<{ folder: string; manifest: ExtensionManifest }> {
  // Older versions of Node lack the hooks that replace the console's modules, so a part of the check would be left out.
  if (!('registerHooks' in nodeModule))
    throw new Error(`Node ${process.versions.node} cannot check an extension. Use 22.15 or later.`)
  const source = await readAuthorManifest(root)
  throwAny('manifest.json is invalid:', [...problemsOfNames(source), ...cardsInVain(source)])
  await checkTypes(root)
  const { build: options } = await resolveConfig({ root }, 'build', 'production', 'production')
  const folder = resolve(root, options.outDir)
  await build({ root })
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => {
    throw new Error(`The build wrote no manifest.json. Add pultExtension() to the plugins of vite.config.`)
  })
  const manifest = extensionManifest.parse(JSON.parse(text))
  if (manifest.entry === undefined) return { folder, manifest }
  const address = pathToFileURL(join(folder, manifest.entry))
  const problems = await withEntry(address, (entry) => problemsOfEntry(manifest, entry))
  throwAny('The extension has errors:', problems)
  return { folder, manifest }
}

/** Returns problems of names and versions that only an installation would reject. */
function problemsOfNames({ id, apps, products, sdk }: ExtensionManifest): string[] {
  const isBundled = (name: string) => (bundledIds as readonly string[]).includes(name)
  return [
    ...(isBundled(id) ? [`id: ${id} belongs to a bundled extension`] : []),
    ...apps
      .filter((app) => isBundled(app.id))
      .map((app) => `apps: the id ${app.id} belongs to a bundled extension`),
    ...products
      .filter(({ sku }) => isBundled(sku))
      .map(({ sku }) => `products: the sku ${sku} belongs to a bundled extension`),
    ...(sdk === undefined || (validRange(sdk) !== null && satisfies(sdkVersion, sdk))
      ? []
      : [`sdk: ${sdk} does not include ${sdkVersion}, the version of this SDK`]),
  ]
}

/** Runs the extension's TypeScript compiler, if it has one. */
async function checkTypes(root: string): Promise<void> {
  const program = compilerNear(resolve(root))
  if (program === undefined || !existsSync(join(root, 'tsconfig.json'))) return
  const tsc = spawn(program, ['--noEmit', '-p', root, '--pretty', 'false'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  tsc.stdout.on('data', (part: Buffer) => (output += part.toString()))
  const isRead = new Promise((done) => tsc.stdout.on('close', done))
  const code = await new Promise((done, fail) => tsc.on('error', fail).on('exit', done))
  // Another process may hold the output for longer than the compiler runs.
  await Promise.race([isRead, new Promise((done) => setTimeout(done, 1000).unref())])
  if (code !== 0) throw new Error(`The type check failed:\n${output.trim()}`)
}

function compilerNear(folder: string): string | undefined {
  const program = join(folder, 'node_modules/.bin/tsc')
  if (existsSync(program)) return program
  return dirname(folder) === folder ? undefined : compilerNear(dirname(folder))
}

function throwAny(title: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new Error([title, ...problems.map((line) => `  ${line}`)].join('\n'))
}
