import { createHash } from 'node:crypto'
import { lstat, readFile, realpath } from 'node:fs/promises'
import { extname, join } from 'node:path'
import {
  type ExtensionManifest,
  extensionManifest,
  parseJsonText,
  sdkVersion,
  sharedModules,
} from '@pult/contract'
import { init, parse } from 'es-module-lexer'
import { satisfies, valid, validRange } from 'semver'
import * as z from 'zod/mini'
import type { Sentence } from '#platform/language.ts'

/** A folder whose manifest and files have been checked. */
export interface ExtensionPackage {
  folder: string
  manifest: ExtensionManifest
  /** The digest of the manifest, which contains the digests of all files: equal digests mean equal extensions. */
  digest: string
  /** The size of all files in bytes. */
  size: number
}

export const packageLimits = {
  files: 500,
  /** Limit of all files together. */
  bytes: 50 * 1024 * 1024,
  manifestBytes: 1024 * 1024,
} as const

/** Types that an extension may serve. SVG pictures run no script in an image element. */
export const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.woff2': 'font/woff2',
}

/**
 * States why an extension cannot be used, as a message for root and the operator. Contains the readable parts of the
 * extension.
 */
export class BrokenExtension extends Error {
  readonly reason: Sentence
  manifest?: ExtensionManifest
  digest?: string

  constructor(reason: Sentence) {
    super(reason.de)
    this.reason = reason
  }
}

/** The names that the modules of the console export, by module. */
export type SharedNames = Readonly<Record<string, readonly string[]>>

/** Returns the names of the built console; undefined without one, as for a server of the API alone. */
export async function readSharedNames(consoleFolder: string | null): Promise<SharedNames | undefined> {
  if (consoleFolder === null) return undefined
  const text = await readFile(join(consoleFolder, 'import-map.json'), 'utf8').catch(() => undefined)
  return text === undefined ? undefined : (JSON.parse(text) as { exports: SharedNames }).exports
}

/**
 * Reads and checks an extension. Returns undefined if the folder has no manifest. Throws a {@link BrokenExtension}, also
 * for an import that this console does not have: its module would not load in a browser.
 */
export async function readPackage(
  folder: string,
  sharedNames: SharedNames | undefined,
): Promise<ExtensionPackage | undefined> {
  const path = join(folder, 'manifest.json')
  const info = await lstat(path).catch(() => undefined)
  if (info === undefined) return undefined
  if (!info.isFile())
    throw new BrokenExtension({ de: 'manifest.json is not a file', 'de-DE': 'manifest.json ist keine Datei' })
  if (info.size > packageLimits.manifestBytes)
    throw new BrokenExtension({
      de: 'manifest.json is larger than 1 MiB',
      'de-DE': 'manifest.json ist größer als 1 MiB',
    })
  const text = await readFile(path)
  const digest = createHash('sha256').update(text).digest('hex')
  let manifest: ExtensionManifest | undefined
  try {
    manifest = parseManifest(text)
    checkNames(manifest)
    checkSdk(manifest)
    const size = await checkFiles(folder, manifest, sharedNames)
    return { folder, manifest, digest, size }
  } catch (error) {
    if (error instanceof BrokenExtension) Object.assign(error, { digest, ...(manifest && { manifest }) })
    throw error
  }
}

function parseManifest(text: Uint8Array): ExtensionManifest {
  let json: unknown
  try {
    json = parseJsonText(text)
  } catch (error) {
    const place = error instanceof Error ? error.message : String(error)
    throw new BrokenExtension({
      de: `manifest.json is not JSON: ${place}`,
      'de-DE': `manifest.json ist kein JSON: ${place}`,
    })
  }
  const parsed = extensionManifest.safeParse(json)
  if (!parsed.success) throw new BrokenExtension(faultsOf(parsed.error))
  const { entry, apps } = parsed.data
  if (apps.length > 0 && entry === undefined)
    throw new BrokenExtension({
      de: 'entry: apps need a module that registers them',
      'de-DE': 'entry: Apps brauchen ein Modul, das sie anmeldet',
    })
  return parsed.data
}

/** Returns the faults on one line, each with its path: `apps[0].label: …`. */
function faultsOf({ issues }: z.core.$ZodError): Sentence {
  const faults = issues
    .map((issue) => {
      const message = issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message
      return `${z.core.toDotPath(issue.path)}: ${message ?? issue.message}`
    })
    .join('; ')
  // Messages of the schema are for the author of the manifest and stay in English.
  return { de: faults, 'de-DE': `Das Manifest hält sich nicht an sein Schema: ${faults}` }
}

/**
 * Ids and skus must be unique. `root` is reserved: it is the product of root apps and the path of the server's own
 * calls.
 */
function checkNames({ version, products, apps }: ExtensionManifest): void {
  if (valid(version) === null)
    throw new BrokenExtension({
      de: `version: ${version} is not a semantic version`,
      'de-DE': `version: ${version} ist keine semantische Version`,
    })
  const sku = firstTaken(
    products.map((product) => product.sku),
    ['root'],
  )
  if (sku !== undefined) throw new BrokenExtension(takenProduct(sku))
  const appId = firstTaken(
    apps.map((app) => app.id),
    ['root'],
  )
  if (appId !== undefined) throw new BrokenExtension(takenApp(appId))
}

export const takenProduct = (sku: string): Sentence => ({
  de: `the product ${sku} is taken`,
  'de-DE': `Das Produkt ${sku} ist vergeben`,
})

export const takenApp = (id: string): Sentence => ({
  de: `the app ${id} is taken`,
  'de-DE': `Die App ${id} ist vergeben`,
})

/** Returns the first name that is taken or duplicate. */
export const firstTaken = (names: readonly string[], taken: readonly string[]): string | undefined =>
  names.find((name, index) => taken.includes(name) || names.indexOf(name) !== index)

function checkSdk({ entry, sdk }: ExtensionManifest): void {
  if (entry === undefined) return
  if (sdk === undefined)
    throw new BrokenExtension({
      de: 'sdk: the range of supported SDK versions is missing',
      'de-DE': 'sdk: Der Bereich der unterstützten SDK-Versionen fehlt',
    })
  if (validRange(sdk) === null)
    throw new BrokenExtension({
      de: `sdk: ${sdk} is not a version range`,
      'de-DE': `sdk: ${sdk} ist kein Versionsbereich`,
    })
  if (!satisfies(sdkVersion, sdk))
    throw new BrokenExtension({
      de: `it needs SDK ${sdk}, and this console has ${sdkVersion}`,
      'de-DE': `Sie braucht das SDK ${sdk}, und diese Konsole hat ${sdkVersion}`,
    })
}

/** Checks the files and returns their total bytes. */
async function checkFiles(
  folder: string,
  { files, entry, styles = [] }: ExtensionManifest,
  sharedNames: SharedNames | undefined,
): Promise<number> {
  const paths = Object.keys(files)
  const unlisted = [...(entry === undefined ? [] : [entry]), ...styles].find((path) => !(path in files))
  if (unlisted !== undefined)
    throw new BrokenExtension({
      de: `files: ${unlisted} is not listed`,
      'de-DE': `files: ${unlisted} ist nicht aufgeführt`,
    })
  if (paths.length > packageLimits.files)
    throw new BrokenExtension({
      de: `files: there are more than ${packageLimits.files}`,
      'de-DE': `files: Es sind mehr als ${packageLimits.files}`,
    })
  const home = await realpath(folder)
  let size = 0
  for (const path of paths) {
    if (contentTypes[extname(path)] === undefined)
      throw new BrokenExtension({
        de: `files: ${path} has a file type that is not served`,
        'de-DE': `files: ${path} hat einen Dateityp, der nicht ausgeliefert wird`,
      })
    const info = await lstat(join(folder, path)).catch(() => undefined)
    if (info === undefined)
      throw new BrokenExtension({ de: `files: ${path} is missing`, 'de-DE': `files: ${path} fehlt` })
    if ((await realpath(join(folder, path)).catch(() => '')) !== join(home, path))
      throw new BrokenExtension({
        de: `files: ${path} is a link`,
        'de-DE': `files: ${path} ist eine Verknüpfung`,
      })
    if (!info.isFile())
      throw new BrokenExtension({
        de: `files: ${path} is not a file`,
        'de-DE': `files: ${path} ist keine Datei`,
      })
    size += info.size
    if (size > packageLimits.bytes)
      throw new BrokenExtension({
        de: `files: with ${path} the files exceed 50 MiB`,
        'de-DE': `files: Mit ${path} sind die Dateien zusammen größer als 50 MiB`,
      })
    const content = await readFile(join(folder, path))
    if (integrityOf(content) !== files[path])
      throw new BrokenExtension({
        de: `files: ${path} does not match the digest in the manifest`,
        'de-DE': `files: ${path} stimmt nicht mit der Prüfsumme im Manifest überein`,
      })
    if (extname(path) === '.js') await checkImports(content.toString(), path, sharedNames)
  }
  return size
}

export const integrityOf = (content: Buffer) =>
  `sha256-${createHash('sha256').update(content).digest('base64')}`

/** Rejects imports of modules and names that the console does not share, because they would fail in the browser. */
async function checkImports(
  source: string,
  path: string,
  sharedNames: SharedNames | undefined,
): Promise<void> {
  await init()
  let imports: ReturnType<typeof parse>[0]
  try {
    ;[imports] = parse(source)
  } catch {
    throw new BrokenExtension({ de: `${path} is not an ES module`, 'de-DE': `${path} ist kein ES-Modul` })
  }
  const shared: readonly string[] = sharedModules
  const foreign = imports
    .flatMap((found) =>
      'specifier' in found && typeof found.specifier === 'string' ? [found.specifier] : [],
    )
    .find((name) => !/^\.{1,2}\//.test(name) && !shared.includes(name))
  if (foreign !== undefined)
    throw new BrokenExtension({
      de: `${path} imports ${foreign}, which the console does not share`,
      'de-DE': `${path} importiert ${foreign}, das die Konsole nicht bereitstellt`,
    })
  for (const found of imports) {
    if (found.type !== 'static') continue
    const known = sharedNames?.[found.specifier]
    const unknown =
      known && namesIn(source.slice(found.importStart, found.importEnd)).find((name) => !known.includes(name))
    if (unknown !== undefined)
      throw new BrokenExtension({
        de: `${path} imports ${unknown} from ${found.specifier}, which this console does not have`,
        'de-DE': `${path} importiert ${unknown} aus ${found.specifier}, das diese Konsole nicht hat`,
      })
  }
}

/** Returns the names that an import or a re-export of a built module takes from its module. None for all names. */
function namesIn(statement: string): string[] {
  const [, whole, list = ''] = /^(?:import|export)\s*([\w$]+)?\s*,?\s*(?:\{([^}]*)\})?/.exec(statement) ?? []
  const names = list
    .split(',')
    .map((each) => (each.split(/\sas\s/)[0] ?? '').trim())
    .filter((name) => name !== '')
  return whole === undefined ? names : ['default', ...names]
}
