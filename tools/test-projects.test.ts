import { matchesGlob } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './steps.ts'
import { testFilePattern, testProjects } from './test-projects.ts'
import { writtenFiles } from './written-files.ts'

test('every test file belongs to exactly one project', () => {
  const files = writtenFiles(root, testFilePattern)
  const patterns = testProjects.flatMap((project) => project.include)
  const misplaced = files.filter(
    (file) => patterns.filter((pattern) => matchesGlob(file, pattern)).length !== 1,
  )
  expect(files).toContain('tools/test-projects.test.ts')
  expect(misplaced).toEqual([])
})
