import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writtenFiles } from '../written-files.ts'
import { type Exception, inspectWords, type WordProblem } from './words.ts'

const written = [
  '{apps,packages,extensions,e2e,bench,tools,packaging,docs}/**/*.{ts,tsx,mts,mjs,js,css,html,md,json,yml,sh,sql}',
  '*.{ts,md,json,jsonc}',
]

/** Migrations are never edited. The requirements are quoted, and these two folders contain the list itself. */
const exempt = /\/migrations\/|^docs\/requirements\/|^docs\/words\.md$|^tools\/words\/|^package-lock\.json$/

/** Each entry must still occur in a file, so that the list contains no leftovers. */
export const exceptions: readonly Exception[] = [
  // A column of an existing table.
  { path: /^apps\/server\/src\//, text: 'heard_at' },
  // The key under which browsers store announced tasks.
  { path: /^apps\/console\/src\/(?:platform\/storage|tasks\/announce)\.ts$/, text: 'pult.toldTasks' },
  // A function of the SDK's testing entry point.
  { path: /^packages\/extension-sdk\/(?:src\/testing|src\/tasks\/tasks\.test|api-report)/, text: 'tell' },
  { path: /^docs\/extensions\/reference\.md$/, text: 'tell: (topic' },
  // A user of Unix systems.
  { path: /^apps\/server\/src\/platform\/database\/embedded\/server-user/, text: 'nobody' },
]

/** Reads the files of the project and returns their forbidden words, and exceptions that no file needs. */
export function wordsOfProject(root: string): { problems: WordProblem[]; files: number } {
  const files = writtenFiles(root, written)
    .filter((path) => !exempt.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
  const leftovers = exceptions.filter(
    ({ path, text }) => !files.some((file) => path.test(file.path) && file.text.includes(text)),
  )
  return {
    problems: [
      ...files.flatMap((file) => inspectWords(file, exceptions)),
      ...leftovers.map(({ text }) => ({
        path: 'tools/words/project-words.ts',
        line: 1,
        message: `no file contains the exception "${text}"`,
      })),
    ],
    files: files.length,
  }
}
