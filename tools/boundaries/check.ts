// The import rules of docs/architecture.md, checked by `npm run check` and `npm test`.
import { root } from '../steps.ts'
import { inspect } from './boundaries.ts'
import { plants, unnoticedPlants, unplantedRules } from './plants.ts'
import { readManifests, readProjectFiles } from './project-files.ts'

const files = readProjectFiles(root)
const manifests = readManifests(root)
const { violations, imports } = inspect(files, manifests)

const problems = [
  ...violations.map(({ path, line, rule, message }) => `${path}:${line}  ${rule}  ${message}`),
  ...unnoticedPlants(manifests).map((message) => `The check does not work: ${message}`),
  ...unplantedRules().map((rule) => `The check does not work: no plant proves that ${rule} can fail`),
  ...(files.length === 0 || imports === 0
    ? ['The check does not work: it found no files or no imports']
    : []),
]

for (const problem of problems) console.log(problem)
console.log(
  `${files.length} files, ${imports} imports, ${plants.length} planted violations, ${problems.length} problems`,
)
if (problems.length > 0) process.exitCode = 1
