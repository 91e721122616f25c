import { defineConfig } from 'vitest/config'
import { sized } from './packages/testkit/src/test-length.ts'
import SlowestFirst from './tools/slowest-first.ts'
import { testProjects } from './tools/test-projects.ts'

export default defineConfig({
  test: {
    pool: 'forks',
    // Only ends what hangs: a slow machine needs three times as long as a fast one.
    testTimeout: sized(300_000, 900_000),
    hookTimeout: 300_000,
    // The default of one second is too short for a mail or an event on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    exclude: ['**/node_modules/**', '**/dist/**'],
    environment: 'node',
    tags: [{ name: 'long', description: 'runs in a short form, or at full length in npm run test:long' }],
    sequence: { sequencer: SlowestFirst },
    reporters: ['default', './tools/requirements/reporter.ts'],
    projects: testProjects.map(({ name, include, needsServer, needsBrowser, ...more }) => ({
      extends: true,
      test: {
        name,
        ...more,
        include: [...include],
        // Workers often wait, those of the server more than those with a browser. One group runs after the other.
        maxWorkers: needsBrowser ? 3 : 4,
        sequence: { groupOrder: needsBrowser ? 0 : 1 },
        // Loading the server once for each worker saves a fifth of the run. The server runs without a bundler, and
        // the console's modules need one.
        ...(needsServer && {
          isolate: false,
          experimental: { viteModuleRunner: name === 'console' },
          setupFiles: ['./packages/testkit/src/each-file.ts'],
        }),
        globalSetup: needsServer ? ['./packages/testkit/src/global-setup.ts'] : [],
      },
    })),
  },
})
