import * as contract from '@pult/contract'
import { apiBase, type Endpoint } from '@pult/contract'
import { byName, type EntryPointExports } from './api-report.ts'
import type { Declaration } from './declarations.ts'
import type { EntryPoint } from './entry-points.ts'

/** One sentence per entry point. The docstrings of the exports have the details. */
const purposes: Readonly<Record<string, string>> = {
  '.': 'Apps and the hooks that they use.',
  './ui': 'The components of the console with their styles.',
  './api':
    'The server’s calls for the apps of projects, with their inputs and replies. Pass the calls to `useApi()`.',
  './api/root': 'The calls for root. They may change in a minor version.',
  './resource': 'Pages that list, create, edit and delete records, and their parts.',
  './vite': 'The build. In `vite.config.ts`.',
  './testing': 'For tests with vitest and Testing Library.',
}

/** Returns the reference of all exports for authors, one chapter per entry point, from their docstrings. */
export function reference(entryPoints: EntryPointExports, version: string): string {
  const contents = entryPoints.map(([{ specifier }]) => `- [${specifier}](#${anchorOf(specifier)})`)
  const chapters = entryPoints.map(([entryPoint, declarations]) =>
    chapterOf(entryPoint, [...declarations.values()]),
  )
  return `# Reference of @pult/sdk ${version}

Generated from the docstrings by \`npm run describe:sdk\`; do not edit.

${contents.join('\n')}
${chapters.join('')}`
}

/** Returns the anchor that Markdown renderers create for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')

function chapterOf({ specifier, key }: EntryPoint, declarations: Declaration[]): string {
  return `
## ${specifier}

${purposes[key] ?? ''}
${declarations.toSorted(byName).map(entryOf).join('')}`
}

function entryOf(declaration: Declaration): string {
  const { name, docs } = declaration
  const calls = callsOf(name)
  const body = calls ?? `\`\`\`ts\n${shortened(declaration.text)}\n\`\`\``
  return `
### ${name}

${[docsOf(docs), body].filter((part) => part !== '').join('\n\n')}
`
}

const linesMost = 60

/** Longer declarations are omitted, because editors show them. */
function shortened(text: string): string {
  const lines = text.split('\n')
  return lines.length <= linesMost ? text : `${lines.slice(0, linesMost).join('\n')}\n// …`
}

/** Returns a group of endpoints as a table of its calls; undefined for other exports. */
function callsOf(name: string): string | undefined {
  const value: unknown = (contract as Record<string, unknown>)[name]
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Object.entries(value)
  if (entries.length === 0 || !entries.every(([, entry]) => isEndpoint(entry))) return undefined
  const rows = (entries as [string, Endpoint][]).map(
    ([call, { method, path, summary, errors }]) =>
      `| \`${call}\` | \`${method} ${apiBase}${path}\` | ${summary} | ${errors.join(', ')} |`,
  )
  return ['| call | address | effect | additional errors |', '|---|---|---|---|', ...rows].join('\n')
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'reply' in value

/** Formats a docstring as Markdown: examples as code, parameters as a list. */
function docsOf(docs: string): string {
  const [text = '', ...tags] = docs.split(/^(?=@\w+)/m)
  const parts = tags.map((tag) => {
    const [, kind = '', content = ''] = /^@(\w+)\s*([^]*)$/.exec(tag.trim()) ?? []
    return { kind, content: content.trim() }
  })
  const of = (kind: string) => parts.filter((part) => part.kind === kind).map(({ content }) => content)
  const described = [
    ...of('param').map((content) => `- ${content.replace(/^(\w+)\s*/, '`$1` ')}`),
    ...of('returns').map((content) => `- returns ${content}`),
    ...of('throws').map((content) => `- throws ${content.replace(/^\{(\w+)\}/, '`$1`')}`),
  ]
  return [
    linked(text.trim()),
    linked(described.join('\n')),
    ...of('example').map((content) => `\`\`\`tsx\n${content}\n\`\`\``),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const linked = (text: string) => text.replaceAll(/\{@link (\w+)\}/g, '`$1`')
