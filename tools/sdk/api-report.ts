import { behind, type Declaration } from './declarations.ts'
import type { EntryPoint } from './entry-points.ts'

/** The entry points with their exports, in listing order. */
export type EntryPointExports = readonly (readonly [EntryPoint, ReadonlyMap<string, Declaration>])[]

/**
 * Lists every name that an author can import, with its signature, sorted and without docstrings. A change in this
 * file is a change of the API of extensions.
 */
export function apiReport(entryPoints: EntryPointExports, version: string): string {
  return `# Exports of @pult/sdk ${version}

Generated from the types by \`npm run describe:sdk\`; do not edit. A change in this file changes the API of extensions:
\`docs/extensions/versioning.md\` describes which version it needs.
${entryPoints.map(([entryPoint, declarations]) => sectionOf(entryPoint, [...declarations.values()])).join('')}`
}

function sectionOf({ specifier }: EntryPoint, declarations: Declaration[]): string {
  const unnamed = behind(declarations)
  return `
## ${specifier}

${listOf(declarations)}${unnamed.length === 0 ? '' : `\n### Referenced types\n\n${listOf(unnamed)}`}`
}

function listOf(declarations: readonly Declaration[]): string {
  const sorted = declarations.toSorted(byName).map(({ signature }) => signature)
  return `\`\`\`ts\n${sorted.join('\n\n')}\n\`\`\`\n`
}

/** Compares by name, independent of the locale. */
export const byName = (a: Declaration, b: Declaration) =>
  a.name < b.name ? -1 : Number(a.name > b.name || a.signature > b.signature)
