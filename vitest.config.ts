import { defineConfig } from 'vitest/config'
import { testProjects } from './tools/test-projects.ts'

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    exclude: ['**/node_modules/**', '**/dist/**'],
    environment: 'node',
    reporters: ['default', './tools/requirements/reporter.ts'],
    projects: testProjects.map(({ name, include, needsServer, ...more }) => ({
      extends: true,
      test: {
        name,
        ...more,
        include: [...include],
        // One PostgreSQL and one built console for all files of a project.
        ...(needsServer && { globalSetup: './packages/testkit/src/global-setup.ts' }),
      },
    })),
  },
})
