/**
 * Which test files run how. A test file that no project includes would never run, so a test compares these patterns
 * with the files that exist.
 */
export const testProjects = [
  {
    name: 'unit',
    include: [
      'packages/contract/**/*.test.ts',
      'packages/ui/**/*.test.ts',
      'packages/extension-sdk/**/*.test.ts',
      'packages/create-pult-extension/src/**/*.test.ts',
      'apps/edge-agent/**/*.test.ts',
      'tools/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    needsServer: false,
  },
  {
    name: 'dom',
    include: [
      'packages/extension-sdk/**/*.test.tsx',
      'packages/create-pult-extension/template/**/*.test.tsx',
    ],
    needsServer: false,
    environment: 'happy-dom',
  },
  {
    name: 'server',
    include: ['apps/server/**/*.test.ts', 'packages/testkit/**/*.test.ts'],
    needsServer: true,
  },
  { name: 'console', include: ['apps/console/**/*.test.ts', 'extensions/**/*.test.ts'], needsServer: true },
  { name: 'e2e', include: ['e2e/**/*.test.ts'], needsServer: true },
] as const

/** Name patterns by which a reader takes a file for a test. */
export const testFilePattern = '**/*.{test,spec}.{ts,tsx,js,jsx,mts,mjs}'
