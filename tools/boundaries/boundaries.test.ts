import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { inspect } from './boundaries.ts'
import { readManifest } from './manifests.ts'
import { unnoticedPlants, unplantedRules } from './plants.ts'
import { readManifests, readProjectFiles } from './project-files.ts'

const root = join(import.meta.dirname, '../..')

const manifests = [
  readManifest('packages/contract', '{"name":"@pult/contract","exports":{".":"./src/index.ts"}}'),
  readManifest('packages/ui', '{"name":"@pult/ui","exports":{".":"./src/index.ts"}}'),
  readManifest(
    'apps/server',
    `{"name":"@pult/server","imports":{"#platform/*":"./src/platform/*","#server/*":"./src/*"},
      "dependencies":{"pg":"8"},"devDependencies":{"@types/ws":"8"}}`,
  ),
  readManifest(
    'apps/console',
    '{"name":"@pult/console","imports":{"#*":"./src/*"},"dependencies":{"react":"19"}}',
  ),
]

function rulesBrokenBy(path: string, text: string) {
  return inspect([{ path, text }], manifests).violations.map(({ rule }) => rule)
}

test('every planted violation breaks exactly its rule, and every rule has a plant', () => {
  expect(unnoticedPlants(readManifests(root))).toEqual([])
  expect(unplantedRules()).toEqual([])
})

test.each([
  ['packages/contract/src/auth/login.ts', "import { z } from 'zod/mini'"],
  ['packages/ui/src/fonts.ts', "import '@fontsource-variable/inter'; import { Lock } from 'lucide-react'"],
  ['extensions/hello/src/App.tsx', "import { useState } from 'react'; import './parts/Greeting.tsx'"],
  [
    'apps/server/src/compose/identity.ts',
    "import { createLogin } from '../auth/login/login.service.ts'; import '../people/people.repository.ts'",
  ],
  [
    'apps/server/src/auth/login/login.routes.ts',
    "import type { Sessions } from '#server/auth/session/session.service.ts'",
  ],
  [
    'apps/server/src/auth/login/login.service.ts',
    "import { createLoginRepository } from './login.repository.ts'",
  ],
  [
    'apps/server/src/auth/login/login.service.ts',
    "import { signedIn } from '../permissions.ts'; import { readFile } from 'node:fs'",
  ],
  [
    'apps/server/src/platform/http/server.ts',
    "import type { Config } from '#server/config.ts'; import type { WebSocket } from 'ws'",
  ],
  ['apps/console/src/shell/Header.tsx', "import { LoginPage } from '#login/LoginPage.tsx'"],
  ['apps/console/src/router.tsx', "const page = () => import('./account/emails/EmailsPage')"],
  ['apps/console/src/home/HomePage.tsx', "import { useProjects } from '#projects/projects.queries'"],
  [
    'apps/console/src/account/emails/EmailsPage.tsx',
    "import { Section } from '../AccountSection'; import '#platform/api.ts'",
  ],
  [
    'apps/console/src/login/login.test.ts',
    "import { given } from '@pult/testkit'; import '../shell/Header.tsx'; import 'node:fs'",
  ],
  ['apps/server/src/platform/mail/testing/mail-server.ts', "import { onTestFinished } from 'vitest'"],
  ['apps/console/vite.config.ts', "import { defineConfig } from 'vite'; import 'node:path'"],
  ['packages/extension-sdk/build/vite.ts', "import 'vite'; import 'node:path'"],
  ['apps/server/src/auth/password/common-passwords.ts', ''],
  ['packages/ui/src/index.ts', "export { Button } from './button/Button.tsx'"],
])('%s may %s', (path, text) => {
  expect(rulesBrokenBy(path, text)).toEqual([])
})

test('a file in src/ never counts as a tool’s configuration', () => {
  const text = "import { defineConfig } from 'vite'"
  expect(rulesBrokenBy('apps/console/src/login/login.config.ts', text)).toEqual(['package-table'])
})

test('an erased import is distinguished from one that loads its module', () => {
  const importer = 'apps/server/src/auth/login/login.routes.ts'
  const service = "'../session/session.service.ts'"
  expect(rulesBrokenBy(importer, `import type { Sessions } from ${service}`)).toEqual([])
  expect(rulesBrokenBy(importer, `import { type Sessions } from ${service}`)).toEqual(['wired-in-app'])
})

test('a violation names its file and line', () => {
  const text = "\n// why\nimport { Button } from '@pult/ui'\n"
  const [violation] = inspect([{ path: 'apps/server/src/main.ts', text }], manifests).violations
  expect(violation).toMatchObject({ rule: 'part-table', path: 'apps/server/src/main.ts', line: 3 })
})

test('the check reads every source file of the project, but no installed or built files', () => {
  const project = mkdtempSync(join(tmpdir(), 'pult-boundaries-test-'))
  const write = (path: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), '{"name":"@pult/ui"}')
  }
  for (const path of [
    'packages/ui/src/Button.tsx',
    'apps/server/migrations/1.ts',
    'vitest.config.ts',
    'packages/ui/package.json',
  ]) {
    write(path)
  }
  for (const path of ['packages/ui/node_modules/a/b.ts', 'apps/console/dist/a.js', 'docs/a.ts']) write(path)
  expect(
    readProjectFiles(project)
      .map(({ path }) => path)
      .toSorted(),
  ).toEqual([
    'apps/server/migrations/1.ts',
    'packages/ui/package.json',
    'packages/ui/src/Button.tsx',
    'vitest.config.ts',
  ])
  expect(readManifests(project).map(({ folder }) => folder)).toEqual(['packages/ui'])
  rmSync(project, { recursive: true })
})
