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

/** An entry point of the SDK, imported by extensions, their tests or their builds. */
export interface EntryPoint {
  /** `@pult/sdk/ui` */
  specifier: string
  /** Key in `exports`: `./ui`. */
  key: string
  /** `ui`; for `.` it is `index`. */
  name: string
  /** Path relative to the package's folder: `src/ui.ts`. */
  source: string
  /** Whether the module runs in Node instead of a browser. */
  isForNode: boolean
  /** Whether authors import the entry point. Others are internal to the console and the SDK. */
  isPublic: boolean
}

export const sdkFolder = join(root, 'packages/extension-sdk')

/** Unpublished packages. The SDK bundles the parts of them that it uses. */
export const workspaces = {
  '@pult/contract': 'contract',
  '@pult/ui': 'ui',
  '@pult/sdk': 'extension-sdk',
} as const

export const readPackageJson = (folder: string): PackageJson =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson

export function sdkEntryPoints(): EntryPoint[] {
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
