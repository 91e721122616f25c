/**
 * The projects of the test run and their files. A file outside all projects would never run, so a test compares these
 * patterns with the files of the repository.
 */
export const testProjects = [
  {
    name: 'unit',
    include: [
      'packages/contract/**/*.test.ts',
      'packages/ui/src/**/*.test.ts',
      'packages/extension-sdk/**/*.test.ts',
      'packages/create-pult-extension/src/**/*.test.ts',
      'apps/edge-agent/**/*.test.ts',
      'tools/**/*.test.ts',
      'packaging/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    needsServer: false,
    needsBrowser: false,
  },
  {
    name: 'dom',
    include: [
      'packages/ui/src/**/*.test.tsx',
      'packages/extension-sdk/**/*.test.tsx',
      'packages/create-pult-extension/template/**/*.test.tsx',
    ],
    needsServer: false,
    needsBrowser: false,
    environment: 'happy-dom',
  },
  {
    name: 'server',
    include: ['apps/server/**/*.test.ts', 'packages/testkit/**/*.test.ts'],
    needsServer: true,
    needsBrowser: false,
  },
  {
    name: 'console',
    include: ['apps/console/**/*.test.ts', 'extensions/**/*.test.ts'],
    needsServer: true,
    needsBrowser: true,
  },
  { name: 'gallery', include: ['packages/ui/gallery/**/*.test.ts'], needsServer: false, needsBrowser: true },
  { name: 'e2e', include: ['e2e/**/*.test.ts'], needsServer: true, needsBrowser: true },
] as const

/** Name patterns of test files. */
export const testFilePattern = '**/*.{test,spec}.{ts,tsx,js,jsx,mts,mjs}'
