import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, typedProjects } from './steps.ts'
import { writtenFiles } from './written-files.ts'

function filesOf(project: string): string[] {
  const args = ['-p', project, '--listFilesOnly']
  return spawnSync(join(root, 'node_modules/.bin/tsc'), args, { cwd: root, encoding: 'utf8' }).stdout.split(
    '\n',
  )
}

test('the compiler checks every TypeScript file', () => {
  const checked = new Set(typedProjects.flatMap(filesOf))
  const written = writtenFiles(root, '{*,{apps,packages,extensions,e2e,bench,tools}/**/*}.{ts,tsx,mts}')
  expect(written).toContain('tools/types.test.ts')
  expect(written.filter((file) => !checked.has(join(root, file)))).toEqual([])
})
