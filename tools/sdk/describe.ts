// npm run describe:sdk: writes the SDK's API report and reference.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from '../steps.ts'
import { apiReport } from './api-report.ts'
import { exportsOf } from './declarations.ts'
import { readPackageJson, sdkDoors, sdkFolder } from './doors.ts'
import { emitTypes } from './emit-types.ts'
import { reference } from './reference.ts'

/** The expected files by their path relative to the project's root. */
export async function describeSdk(): Promise<Record<string, string>> {
  const types = join(root, 'dist/sdk-types')
  await emitTypes(types)
  const doors = sdkDoors()
    .filter(({ isPublic }) => isPublic)
    .map((door) => {
      const file = join(types, 'extension-sdk', door.source.replace(/\.tsx?$/, '.d.ts'))
      return [door, exportsOf(file)] as const
    })
  const { version } = readPackageJson(sdkFolder)
  return {
    'packages/extension-sdk/api-report.md': apiReport(doors, version),
    'docs/extensions/reference.md': reference(doors, version),
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, text] of Object.entries(await describeSdk())) await writeFile(join(root, path), text)
}
