import { behind, type Declaration } from './declarations.ts'
import type { Door } from './doors.ts'

/** The entry points with their exports, in listing order. */
export type DoorExports = readonly (readonly [Door, ReadonlyMap<string, Declaration>])[]

/**
 * Lists every name that an author can import, with its signature, sorted and without docstrings. A change in this
 * file is a change of the API of extensions.
 */
export function apiReport(doors: DoorExports, version: string): string {
  return `# What @pult/sdk ${version} exports

Made by \`npm run describe:sdk\` of the types; never written by hand. A change in here is a change of what extensions are
written against: \`docs/extensions/versioning.md\` says which version it needs.
${doors.map(([door, declarations]) => sectionOf(door, [...declarations.values()])).join('')}`
}

function sectionOf({ specifier }: Door, declarations: Declaration[]): string {
  const unnamed = behind(declarations)
  return `
## ${specifier}

${listOf(declarations)}${unnamed.length === 0 ? '' : `\n### What these speak of\n\n${listOf(unnamed)}`}`
}

function listOf(declarations: readonly Declaration[]): string {
  const sorted = declarations.toSorted(byName).map(({ signature }) => signature)
  return `\`\`\`ts\n${sorted.join('\n\n')}\n\`\`\`\n`
}

/** A locale-independent order. */
export const byName = (a: Declaration, b: Declaration) =>
  a.name < b.name ? -1 : Number(a.name > b.name || a.signature > b.signature)
