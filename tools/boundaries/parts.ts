/**
 * The allowed imports between parts. Every part must be in this table, so a new package declares its imports here
 * first.
 */
export interface Part {
  name: string
  /** `*` stands for one folder, and each such folder is a separate part. */
  folder: string
  /** Allowed parts, by package name. */
  parts: string[] | 'any'
  /** Allowed npm packages (a trailing `*` for a family), or those that the part's package.json declares. */
  packages: string[] | 'declared' | 'any'
  /** Whether Node's own modules are allowed. False for browser code. */
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
    packages: [
      react,
      'react-dom',
      'react-aria-components',
      '@internationalized/date',
      '@tanstack/react-table',
      'lucide-react',
      '@fontsource-variable/*',
    ],
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
  { name: 'packaging', folder: 'packaging', ...tool },
]

const tests: Part = { name: 'tests', folder: '', ...tool }
const configuration: Part = { name: 'configuration', folder: '', ...tool }
const building: Part = { name: 'building', folder: '', ...tool }

/**
 * Returns the part whose rules apply to a file. Tests, tool configurations and the build scripts of a package (a
 * folder `build/` beside its `src/`) may import anything.
 */
export function importerPartOf(path: string): Part | null {
  if (isTest(path)) return tests
  if (/\.config\.[cm]?[jt]s$/.test(path) && !path.includes('/src/')) return configuration
  if (/^[^/]+\/[^/]+\/build\//.test(path)) return building
  return partOf(path)?.part ?? null
}

/** Returns whether a file is a test or a test helper in a folder `testing/` of the tested room. */
export function isTest(path: string): boolean {
  return /\.test\.[cm]?[jt]sx?$/.test(path) || path.includes('/testing/')
}

/** Returns the part that contains a file, with that part's folder. */
export function partOf(path: string): { part: Part; folder: string } | null {
  for (const part of parts) {
    const pattern = part.folder.split('/')
    const folder = path.split('/').slice(0, pattern.length)
    const matches = pattern.every((segment, index) => segment === '*' || segment === folder[index])
    if (matches && path.length > folder.join('/').length) return { part, folder: folder.join('/') }
  }
  return null
}
