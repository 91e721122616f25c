// Checks that no file contains a word of the list in words.ts. `npm run check` and `npm test` run it.
import { root } from '../steps.ts'
import { wordsOfProject } from './project-words.ts'

const { problems, files } = wordsOfProject(root)
for (const { path, line, message } of problems) console.log(`${path}:${line}  ${message}`)
console.log(`${files} files, ${problems.length} problems`)
if (problems.length > 0 || files === 0) process.exitCode = 1
