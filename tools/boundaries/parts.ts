/**
 * Who may import whom. A part that is not in this table may not exist: a new package states its imports here first.
 */
export interface Part {
  name: string
  /** `*` stands for one folder: each folder is a part of its own. */
  folder: string
  /** Parts it may import, by their package name. */
  parts: string[] | 'any'
  /** npm packages it may import (`*` at the end for a family), or those that its own package.json declares. */
  packages: string[] | 'declared' | 'any'
  /** Node's own modules; no for what runs in a browser. */
  builtins: boolean
}

const tool = { parts: 'any', packages: 'any', builtins: true } as const
const react = 'react'

export const parts: Part[] = [
  { name: 'contract', folder: 'packages/contract', parts: [], packages: ['zod'], builtins: false },
  {
    name: 'ui',
    folder: 'packages/ui',
    parts: [],
    packages: [react, 'react-dom', 'react-aria-components', 'lucide-react', '@fontsource-variable/*'],
    builtins: false,
  },
  {
    name: 'extension-sdk',
    folder: 'packages/extension-sdk',
    parts: ['contract', 'ui'],
    packages: [react, 'react-router', '@tanstack/react-query', 'lucide-react'],
    builtins: false,
  },
  {
    name: 'extension',
    folder: 'extensions/*',
    parts: ['extension-sdk'],
    packages: [react, '@tanstack/react-query', 'lucide-react'],
    builtins: false,
  },
  {
    name: 'console',
    folder: 'apps/console',
    parts: ['contract', 'ui', 'extension-sdk'],
    packages: 'declared',
    builtins: false,
  },
  { name: 'server', folder: 'apps/server', parts: ['contract'], packages: 'declared', builtins: true },
  {
    name: 'edge-agent',
    folder: 'apps/edge-agent',
    parts: ['contract'],
    packages: 'declared',
    builtins: true,
  },
  {
    name: 'template',
    folder: 'packages/create-pult-extension/template',
    parts: ['extension-sdk'],
    packages: [react, '@tanstack/react-query', 'lucide-react'],
    builtins: false,
  },
  {
    name: 'create-pult-extension',
    folder: 'packages/create-pult-extension',
    parts: [],
    packages: 'declared',
    builtins: true,
  },
  { name: 'testkit', folder: 'packages/testkit', ...tool },
  { name: 'e2e', folder: 'e2e', ...tool },
  { name: 'bench', folder: 'bench', ...tool },
  { name: 'tools', folder: 'tools', ...tool },
]

const tests: Part = { name: 'tests', folder: '', ...tool }
const configuration: Part = { name: 'configuration', folder: '', ...tool }
const building: Part = { name: 'building', folder: '', ...tool }

/**
 * The part whose rules a file follows; a test, a tool's configuration and what builds a package
 * (a folder `build/` beside its `src/`) may import anything wherever they lie.
 */
export function importerPartOf(path: string): Part | null {
  if (isTest(path)) return tests
  if (/\.config\.[cm]?[jt]s$/.test(path) && !path.includes('/src/')) return configuration
  if (/^[^/]+\/[^/]+\/build\//.test(path)) return building
  return partOf(path)?.part ?? null
}

/** Tests, and what only they need: a folder `testing/` in the room they test. */
export function isTest(path: string): boolean {
  return /\.test\.[cm]?[jt]sx?$/.test(path) || path.includes('/testing/')
}

/** The part a file lies in, with that part's own folder. */
export function partOf(path: string): { part: Part; folder: string } | null {
  for (const part of parts) {
    const pattern = part.folder.split('/')
    const folder = path.split('/').slice(0, pattern.length)
    const matches = pattern.every((segment, index) => segment === '*' || segment === folder[index])
    if (matches && path.length > folder.join('/').length) return { part, folder: folder.join('/') }
  }
  return null
}
