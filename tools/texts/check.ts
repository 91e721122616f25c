// Checks the texts of all languages: none is missing, unused or repeated. `npm run check` and `npm test` run it.
import { readProjectFiles } from '../boundaries/project-files.ts'
import { root } from '../steps.ts'
import { unnoticedPlants } from './plants.ts'
import { inspectTexts } from './texts.ts'

const { problems, texts } = inspectTexts(readProjectFiles(root))
const lines = [
  ...problems.map(({ path, line, rule, message }) => `${path}:${line}  ${rule}  ${message}`),
  ...unnoticedPlants().map((message) => `The check does not work: ${message}`),
  ...(texts === 0 ? ['The check does not work: it found no texts'] : []),
]

for (const line of lines) console.log(line)
console.log(`${texts} texts, ${lines.length} problems`)
if (lines.length > 0) process.exitCode = 1
