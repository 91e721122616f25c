import { execFileSync } from 'node:child_process'
import { dirname } from 'node:path'
import { root } from './steps.ts'
import { testFilePattern } from './test-projects.ts'
import { writtenFiles } from './written-files.ts'

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n')

/** Lists the files that differ from the main branch, committed or not. */
export function changedFiles(): string[] {
  const [base = ''] = git('merge-base', 'HEAD', 'main')
  const tracked = git('diff', '--name-only', '--diff-filter=d', base)
  const untracked = git('ls-files', '--others', '--exclude-standard')
  return [...tracked, ...untracked].filter(Boolean)
}

/** Selects the tests of the changed files among all tests of the repository. */
export const changedTests = (): string[] => testsOf(changedFiles(), writtenFiles(root, testFilePattern))

/**
 * Selects the tests in the folder of a changed file. A change of the contract also selects the rooms of the same noun
 * in the server and the console. Imports are ignored, because nearly every server test imports the whole server.
 */
export function testsOf(changed: readonly string[], tests: readonly string[]): string[] {
  const folders = new Set(changed.flatMap(foldersOf))
  return tests.filter((test) => folders.has(dirname(test)) || changed.includes(test))
}

function foldersOf(file: string): string[] {
  const noun = /^packages\/contract\/src\/(.+)\.ts$/.exec(file)?.[1]
  const rooms =
    noun === undefined ? [] : ['apps/server/src', 'apps/console/src'].map((app) => `${app}/${noun}`)
  return [dirname(file), ...rooms]
}
