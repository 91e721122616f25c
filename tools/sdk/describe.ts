// npm run describe:sdk: writes the SDK's API report and reference.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../steps.ts'
import { apiReport } from './api-report.ts'
import { exportsOf } from './declarations.ts'
import { emitTypes } from './emit-types.ts'
import { readPackageJson, sdkEntryPoints, sdkFolder } from './entry-points.ts'
import { reference } from './reference.ts'

/** The expected files by their path relative to the project's root. */
export async function describeSdk(): Promise<Record<string, string>> {
  const types = join(root, 'dist/sdk-types')
  await emitTypes(types)
  const entryPoints = sdkEntryPoints()
    .filter(({ isPublic }) => isPublic)
    .map((entryPoint) => {
      const file = join(types, 'extension-sdk', entryPoint.source.replace(/\.tsx?$/, '.d.ts'))
      return [entryPoint, exportsOf(file)] as const
    })
  const { version } = readPackageJson(sdkFolder)
  return {
    'packages/extension-sdk/api-report.md': apiReport(entryPoints, version),
    'docs/extensions/reference.md': reference(entryPoints, version),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(await describeSdk())) await writeFile(join(root, path), text)
}
