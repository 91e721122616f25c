import * as contract from '@pult/contract'
import { apiBase, type Endpoint } from '@pult/contract'
import { byName, type DoorExports } from './api-report.ts'
import type { Declaration } from './declarations.ts'
import type { Door } from './doors.ts'

/** One sentence for each entry point. Its exports contain the details. */
const purposes: Readonly<Record<string, string>> = {
  '.': 'Apps, and the hooks that they use.',
  './ui': 'The components of the console. Their styles are there when they are.',
  './api':
    'The calls of the server for the apps of projects, and what goes in and out of them. Give the calls to `useApi()`.',
  './api/root': 'The calls that only root may make. They may change in a minor version.',
  './resource': 'Pages that list, create, edit and delete records, whole or in parts.',
  './vite': 'The build. In `vite.config.ts`.',
  './testing': 'For tests with vitest and Testing Library.',
}

/** Writes the docstrings of everything that an author can import, with one chapter for each entry point. */
export function reference(doors: DoorExports, version: string): string {
  const contents = doors.map(([{ specifier }]) => `- [${specifier}](#${anchorOf(specifier)})`)
  const chapters = doors.map(([door, declarations]) => chapterOf(door, [...declarations.values()]))
  return `# Reference of @pult/sdk ${version}

Made by \`npm run describe:sdk\` of the docstrings; never written by hand.

${contents.join('\n')}
${chapters.join('')}`
}

/** Returns the anchor that Markdown renderers create for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-')

function chapterOf({ specifier, key }: Door, declarations: Declaration[]): string {
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
  return ['| call | address | what it does | errors of its own |', '|---|---|---|---|', ...rows].join('\n')
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'reply' in value

/** Formats a docstring as Markdown: examples as code, parameters as a list. */
function docsOf(docs: string): string {
  const [text = '', ...tags] = docs.split(/^(?=@\w+)/m)
  const parts = tags.map((tag) => {
    const [, kind = '', said = ''] = /^@(\w+)\s*([^]*)$/.exec(tag.trim()) ?? []
    return { kind, said: said.trim() }
  })
  const of = (kind: string) => parts.filter((part) => part.kind === kind).map(({ said }) => said)
  const described = [
    ...of('param').map((said) => `- ${said.replace(/^(\w+)\s*/, '`$1` ')}`),
    ...of('returns').map((said) => `- answers ${said}`),
    ...of('throws').map((said) => `- throws ${said.replace(/^\{(\w+)\}/, '`$1`')}`),
  ]
  return [
    linked(text.trim()),
    linked(described.join('\n')),
    ...of('example').map((said) => `\`\`\`tsx\n${said}\n\`\`\``),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const linked = (text: string) => text.replaceAll(/\{@link (\w+)\}/g, '`$1`')
