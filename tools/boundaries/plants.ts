import { inspect, type ProjectFile, type RuleName, ruleNames } from './boundaries.ts'
import { type Manifest, readManifest } from './manifests.ts'

/**
 * Code that breaks one rule. A check that inspects nothing would always pass, so every run also inspects these
 * plants. It fails if it misses a plant or reports a rule other than `breaks`.
 */
export interface Plant extends ProjectFile {
  breaks: RuleName
}

const server = 'apps/server/src'
const consoleApp = 'apps/console/src'

export const plants: Plant[] = [
  plant('part-table', 'packages/contract/src/planted.ts', "import '@pult/ui'"),
  plant('part-table', 'packages/ui/src/planted.ts', "import { endpoint } from '@pult/contract'"),
  plant('part-table', 'packages/extension-sdk/src/planted.ts', "import '@pult/console'"),
  plant('part-table', 'extensions/planted/src/App.tsx', "import { Button } from '@pult/ui'"),
  plant('part-table', `${consoleApp}/login/planted.ts`, "import { createApp } from '@pult/server/app.ts'"),
  plant('part-table', `${server}/auth/planted.ts`, "import { Button } from '@pult/ui'"),
  plant('part-table', 'apps/edge-agent/src/planted.ts', "import '@pult/testkit'"),
  plant('package-table', 'packages/contract/src/planted-package.ts', "import pg from 'pg'"),
  plant('package-table', 'packages/ui/src/planted-package.tsx', "export { Pool } from 'pg'"),
  plant('package-table', 'packages/extension-sdk/src/planted-package.ts', "import 'react-dom'"),
  plant('package-table', 'extensions/planted/src/package.ts', "import 'react-router'"),
  plant('package-table', `${consoleApp}/login/planted-package.ts`, "await import('zod-undeclared')"),
  plant('package-table', `${server}/auth/planted-package.ts`, "import express from 'express'"),
  plant('package-table', `${consoleApp}/login/planted-build.ts`, "import { build } from 'vite'"),
  plant('no-node-in-browser', 'packages/contract/src/planted-node.ts', "import { readFile } from 'node:fs'"),
  plant('no-node-in-browser', `${consoleApp}/login/planted-node.ts`, "import { join } from 'path'"),
  plant(
    'package-entry-point',
    `${server}/auth/planted-entry-point.ts`,
    "import { endpoint } from '../../../../packages/contract/src/endpoint.ts'",
  ),
  plant(
    'tests-only',
    `${server}/auth/login/planted-test.ts`,
    "import { useDatabase } from './testing/use-database.ts'",
  ),
  plant('server-platform', `${server}/platform/planted.ts`, "import '#server/auth/planted-room.ts'"),
  plant('server-platform', `${server}/platform/http/planted.ts`, "import type { App } from '../../app.ts'"),
  plant(
    'own-repository',
    `${server}/auth/login/planted.ts`,
    "import type { Sessions } from '#server/auth/session/session.repository.ts'",
  ),
  plant('own-repository', `${server}/main-planted.ts`, "import './people/people.repository.ts'"),
  plant(
    'wired-in-app',
    `${server}/auth/login/planted-wiring.ts`,
    "import { createSessionService } from '../session/session.service.ts'",
  ),
  plant(
    'console-platform',
    `${consoleApp}/platform/planted.ts`,
    "import { LoginPage } from '#login/LoginPage.tsx'",
  ),
  plant('console-frame', `${consoleApp}/login/planted-frame.ts`, "import { Header } from '../shell/Header'"),
  plant('console-frame', `${consoleApp}/home/planted-router.ts`, "import { router } from '#router.tsx'"),
  plant(
    'console-room',
    `${consoleApp}/account/emails/planted.ts`,
    "type Props = import('../profile/ProfilePage').ProfileProps",
  ),
  plant('console-room', `${consoleApp}/home/planted.ts`, "export * from '#projects/ProjectList.tsx'"),
  plant(
    'one-data-layer',
    `${consoleApp}/home/planted-query.ts`,
    "import { useQuery } from '@tanstack/react-query'",
  ),
  plant(
    'one-data-layer',
    'extensions/planted/src/change.ts',
    "import { type QueryKey, useMutation as change } from '@tanstack/react-query'",
  ),
  plant('known-part', 'packages/planted/src/anything.ts', ''),
  plant('specific-name', `${server}/auth/utils/planted.css`, ''),
  plant('specific-name', `${consoleApp}/login/date-helpers.ts`, ''),
  plant('specific-name', 'packages/ui/src/common.css', ''),
  plant('specific-name', 'tools/misc.ts', ''),
  plant('index-is-entry-point', `${consoleApp}/login/index.ts`, ''),
  plant('named-exports', 'packages/contract/src/index.ts', 'export default 1'),
  plant('monotonic-durations', `${server}/auth/planted-begin.ts`, 'const begin = Date.now()'),
  plant('monotonic-durations', 'apps/edge-agent/src/planted-begin.ts', 'let begin = 0\nbegin = Date.now()'),
  plant('parses', 'tools/planted.ts', 'export const = 1'),
]

/** Packages that the planted imports name and that may not exist yet. */
const plantedManifests: Manifest[] = ['packages/extension-sdk', 'apps/edge-agent'].map((folder) =>
  readManifest(folder, JSON.stringify({ name: `@pult/${folder.split('/')[1]}` })),
)

/** Returns errors of the check itself: each planted violation must break exactly the rule it was made for. */
export function unnoticedPlants(manifests: Manifest[]): string[] {
  const missing = plantedManifests.filter(({ name }) => manifests.every((manifest) => manifest.name !== name))
  return plants.flatMap((each) => {
    const broken = inspect([each], [...manifests, ...missing]).violations.map(({ rule }) => rule)
    if (broken.length === 1 && broken[0] === each.breaks) return []
    return [`${each.path} should break ${each.breaks} and breaks ${broken.join(', ') || 'nothing'}`]
  })
}

/** Every rule needs a plant that proves that it works. */
export function unplantedRules(): RuleName[] {
  return ruleNames.filter((rule) => plants.every((each) => each.breaks !== rule))
}

function plant(breaks: RuleName, path: string, text: string): Plant {
  return { breaks, path, text }
}
