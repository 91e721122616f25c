import { posix } from 'node:path'
import type { Scan } from './imports.ts'
import type { Manifest } from './manifests.ts'
import { importerPartOf } from './parts.ts'

/** Returns the violation of a file, or null. `scan` is null for files other than source files. */
export type FileRule = (path: string, scan: Scan | null, manifests: Manifest[]) => string | null

export const fileRules = {
  'known-part': knownPart,
  'specific-name': specificName,
  'index-is-entry-point': indexIsEntryPoint,
  'named-exports': namedExports,
  'monotonic-durations': monotonicDurations,
  parses,
} satisfies Record<string, FileRule>

function knownPart(path: string, scan: Scan | null) {
  return scan && !importerPartOf(path) ? 'belongs to no part of the table in tools/boundaries/parts.ts' : null
}

function specificName(path: string) {
  const vague = path.split('/').find((segment) => segment.split('.').some(isVague))
  return vague ? `"${vague}" does not describe its content` : null
}

/** `common-passwords` is specific. `date-utils` adds nothing to `date`. */
function isVague(word: string) {
  return (
    /^(common|misc)$/i.test(word) ||
    /(^|[-_])(utils?|helpers?)$/i.test(word) ||
    /(Utils?|Helpers?)$/.test(word)
  )
}

function indexIsEntryPoint(path: string, _scan: Scan | null, manifests: Manifest[]) {
  return isIndex(path) && !isEntryPoint(path, manifests)
    ? 'only an entry point that a package.json exports is an index file'
    : null
}

function namedExports(path: string, scan: Scan | null, manifests: Manifest[]) {
  if (!scan?.exportsDefault || path.startsWith('extensions/') || !isEntryPoint(path, manifests)) return null
  return 'an entry point of a package has only named exports'
}

/** A duration that begins with the system's clock is wrong after a step of it, for example from the boot to NTP. */
function monotonicDurations(path: string, scan: Scan | null) {
  const isMeasured = /^apps\/(server|edge-agent)\/src\//.test(path) && !/\.test\.ts$|\/testing\//.test(path)
  if (!isMeasured || scan?.keptPresent == null) return null
  return `line ${scan.keptPresent} stores Date.now(): measure durations with performance.now()`
}

function parses(_path: string, scan: Scan | null) {
  return scan?.syntaxError ?? null
}

function isIndex(path: string) {
  return /^index\.[cm]?[jt]sx?$/.test(posix.basename(path))
}

function isEntryPoint(path: string, manifests: Manifest[]) {
  return manifests.some((manifest) =>
    Object.values(manifest.exports).some((target) => posix.join(manifest.folder, target) === path),
  )
}
