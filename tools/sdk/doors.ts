import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sharedModules } from '@pult/contract'
import { root } from '../steps.ts'

export interface PackageJson {
  name: string
  version: string
  description: string
  license: string
  bin?: Record<string, string>
  exports: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

/** A module of the SDK that extensions, their tests or their builds import. */
export interface Door {
  /** `@pult/sdk/ui` */
  specifier: string
  /** As in `exports`: `./ui`. */
  key: string
  /** `ui`; that of `.` is `index`. */
  name: string
  /** From the folder of the package: `src/ui.ts`. */
  source: string
  /** Whether Node runs it, and not a browser. */
  isForNode: boolean
  /** Whether authors import it; the rest is between the console and the SDK. */
  isPublic: boolean
}

export const sdkFolder = join(root, 'packages/extension-sdk')

/** Packages that nobody can install: what the SDK uses of them becomes a part of it. */
export const workspaces = {
  '@pult/contract': 'contract',
  '@pult/ui': 'ui',
  '@pult/sdk': 'extension-sdk',
} as const

export const readPackageJson = (folder: string): PackageJson =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson

export function sdkDoors(): Door[] {
  const { name, exports } = readPackageJson(sdkFolder)
  return Object.entries(exports).map(([key, target]) => {
    const source = target.replace(/^\.\//, '')
    const specifier = `${name}${key.slice(1)}`
    const isForNode = source.startsWith('build/')
    const isShared = (sharedModules as readonly string[]).includes(specifier)
    return {
      specifier,
      key,
      name: key === '.' ? 'index' : key.slice(2),
      source,
      isForNode,
      isPublic: isShared || isForNode || source.includes('/testing/'),
    }
  })
}
