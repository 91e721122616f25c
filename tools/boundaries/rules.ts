import { posix } from 'node:path'
import type { Import } from './imports.ts'
import { declares, type Manifest, manifestOf, type Target } from './manifests.ts'
import { importerPartOf, isTest, type Part, partOf } from './parts.ts'

export interface ImportFacts {
  importer: string
  imported: Import
  target: Target
  manifests: Manifest[]
}

/** Returns the violation of an import, or null. */
export type ImportRule = (facts: ImportFacts) => string | null

export const importRules = {
  'part-table': partTable,
  'package-table': packageTable,
  'no-node-in-browser': noNodeInBrowser,
  'package-entry-point': packageEntryPoint,
  'tests-only': testsOnly,
  'server-platform': serverPlatform,
  'own-repository': ownRepository,
  'wired-in-app': wiredInApp,
  'console-platform': consolePlatform,
  'console-frame': consoleFrame,
  'console-room': consoleRoom,
  'one-data-layer': oneDataLayer,
} satisfies Record<string, ImportRule>

function partTable({ importer, target }: ImportFacts) {
  const part = importerPartOf(importer)
  const to = targetPart(target)
  if (!part || !to || part.parts === 'any' || to.folder === partOf(importer)?.folder) return null
  return part.parts.includes(to.part.name) ? null : `${part.name} may not import ${to.part.name}`
}

function packageTable({ importer, imported, target, manifests }: ImportFacts) {
  const part = importerPartOf(importer)
  if (target.kind !== 'package' || !part || part.packages === 'any') return null
  if (part.packages !== 'declared') {
    return matchesAny(target.name, part.packages) ? null : `${part.name} may not import ${target.name}`
  }
  const manifest = manifestOf(importer, manifests)
  if (manifest && declares(manifest, target.name, imported)) return null
  return `${manifest?.folder ?? importer} does not declare ${target.name} in its package.json`
}

function noNodeInBrowser({ importer, target }: ImportFacts) {
  const part = importerPartOf(importer)
  return target.kind === 'builtin' && part?.builtins === false ? `${part.name} runs in a browser` : null
}

function packageEntryPoint({ importer, target }: ImportFacts) {
  if (target.kind !== 'file' || !target.relative || isFree(importer)) return null
  const [from, to] = [partOf(importer), partOf(target.path)]
  return from && from.folder === to?.folder
    ? null
    : 'another package is imported by its name, through its entry point'
}

function testsOnly({ importer, target }: ImportFacts) {
  if (target.kind !== 'file' || !isTest(target.path) || isFree(importer)) return null
  return 'only tests import test helpers'
}

const server = 'apps/server/src/'
/** The server and the operator's command line compose rooms. */
const composes = (path: string) =>
  path === `${server}app.ts` || path.startsWith(`${server}compose/`) || path.startsWith(`${server}cli/`)

/** All rooms depend on platform/. It shares only the validated settings with main.ts. */
function serverPlatform({ importer, target }: ImportFacts) {
  const platform = `${server}platform/`
  if (!importer.startsWith(platform) || isFree(importer) || target.kind !== 'file') return null
  if (!target.path.startsWith(server) || target.path.startsWith(platform)) return null
  return nameOf(target.path) === `${server}config` ? null : 'the platform imports no room'
}

function ownRepository({ importer, target }: ImportFacts) {
  if (!isServerRoomCode(importer, target) || !nameOf(target.path).endsWith('.repository')) return null
  return 'only its room imports a repository: take that room’s service as an argument'
}

function wiredInApp({ importer, imported, target }: ImportFacts) {
  if (imported.typeOnly || !isServerRoomCode(importer, target)) return null
  if (!/\.(service|routes)$/.test(nameOf(target.path))) return null
  return 'only compose/ wires rooms: take the service as an argument and import its type'
}

/** Server code outside of composition that imports from the folder of another room. */
function isServerRoomCode(importer: string, target: Target): target is Target & { kind: 'file' } {
  if (target.kind !== 'file' || isFree(importer) || composes(importer)) return false
  const inServer = importer.startsWith('apps/server/') && target.path.startsWith(server)
  return inServer && posix.dirname(importer) !== posix.dirname(target.path)
}

const consoleSource = 'apps/console/src/'
const consolePlatformFolder = `${consoleSource}platform/`
const frameFolders = ['boot', 'pages', 'shell', 'windows', 'palette', 'shortcuts'].map(
  (name) => `${consoleSource}${name}/`,
)

function consolePlatform({ importer, target }: ImportFacts) {
  if (!importer.startsWith(consolePlatformFolder) || isFree(importer) || target.kind !== 'file') return null
  const inside = !target.path.startsWith(consoleSource) || target.path.startsWith(consolePlatformFolder)
  return inside ? null : 'the platform imports no room'
}

function consoleFrame({ importer, target }: ImportFacts) {
  if (!isConsoleRoom(importer) || isFree(importer) || target.kind !== 'file') return null
  return isConsoleFrame(target.path) ? 'the frame composes rooms; a room does not import the frame' : null
}

function consoleRoom({ importer, target }: ImportFacts) {
  if (!isConsoleRoom(importer) || isFree(importer) || target.kind !== 'file') return null
  if (!isConsoleRoom(target.path) || nameOf(target.path).endsWith('.queries')) return null
  const [from, to] = [`${posix.dirname(importer)}/`, `${posix.dirname(target.path)}/`]
  const sameRoom = from.startsWith(to) || to.startsWith(from)
  return sameRoom ? null : 'only the *.queries.ts of another room may be imported'
}

const handMade = /^(use(Query|Queries|SuspenseQuery|InfiniteQuery|Mutation)|(infiniteQ|q)ueryOptions|callOf)$/

/** Modules whose queries are more than one call of the API: they combine calls, transform replies, or load code. */
const ownQueries: ReadonlySet<string> = new Set([
  'apps/console/src/extensions/AppCardFrame.tsx',
  'apps/console/src/extensions/AppView.tsx',
  'apps/console/src/extensions/GuestTab.tsx',
  'apps/console/src/extensions/app-loader.ts',
  'apps/console/src/palette/thing-entries.tsx',
  'apps/console/src/platform/searched-list/searched-list.ts',
  'apps/console/src/projects/projects.queries.ts',
  'apps/console/src/settings/settings.queries.ts',
  'apps/console/src/settings/stream-decks/shown-keys.ts',
  'apps/console/src/shell/use-project-choice.ts',
  'apps/console/src/tasks/tasks.queries.ts',
  'extensions/edges/src/log.queries.ts',
  'extensions/edges/src/values.queries.ts',
])

/** The data layer of the SDK alone decides about keys, signals, background reads and idempotency keys. */
function oneDataLayer({ importer, imported, target }: ImportFacts) {
  if (target.kind !== 'package' || target.name !== '@tanstack/react-query' || isTest(importer)) return null
  if (importer.startsWith('packages/extension-sdk/src/') || ownQueries.has(importer)) return null
  const name = imported.names.find((each) => handMade.test(each))
  return name === undefined ? null : `use the data layer of @pult/sdk instead of ${name}`
}

/** Files directly in src/ (main.tsx, router.tsx) and the frame's folders. */
function isConsoleFrame(path: string) {
  if (!path.startsWith(consoleSource)) return false
  return (
    !path.slice(consoleSource.length).includes('/') || frameFolders.some((folder) => path.startsWith(folder))
  )
}

function isConsoleRoom(path: string) {
  return path.startsWith(consoleSource) && !path.startsWith(consolePlatformFolder) && !isConsoleFrame(path)
}

function isFree(importer: string) {
  return importerPartOf(importer)?.parts === 'any'
}

function targetPart(target: Target): { part: Part; folder: string } | null {
  if (target.kind === 'file') return partOf(target.path)
  return target.kind === 'workspace' ? partOf(`${target.folder}/package.json`) : null
}

function matchesAny(name: string, patterns: string[]) {
  return patterns.some((each) => (each.endsWith('*') ? name.startsWith(each.slice(0, -1)) : name === each))
}

/** Returns a path without its extension, which imports inside the console may omit. */
function nameOf(path: string) {
  return path.replace(/\.[cm]?[jt]sx?$/, '')
}
