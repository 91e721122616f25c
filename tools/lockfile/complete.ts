// npm run lockfile: adds packages for other systems that npm omitted from package-lock.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../steps.ts'
import { completed, type Lockfile, omissions } from './lockfile.ts'

const file = join(root, 'package-lock.json')
const lockfile = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
const missing = omissions(lockfile)
if (missing.length > 0) writeFileSync(file, `${JSON.stringify(completed(lockfile), null, 2)}\n`)
console.log(`${missing.length} packages added`)
