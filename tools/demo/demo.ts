import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defaultDataFolder } from '../../apps/server/src/platform/database/embedded/embedded-database.ts'
import { serve } from '../../apps/server/src/serve.ts'
import { buildConsole } from '../build-console.ts'
import { demoPeople, giveDemoData } from './demo-data.ts'

/*
 * npm run demo: the product with people and projects in it, in a data folder of its own. The password is made anew at
 * each start and printed, because no account has a default one.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const dataFolder = process.env.PULT_DATA ?? `${defaultDataFolder(root)}-demo`
const password = randomBytes(9).toString('base64url')

await buildConsole()
await serve(
  { ...process.env, PULT_DATA: dataFolder },
  {
    prepare: async (db) => {
      await giveDemoData(db, password)
      console.log(`Sign in with the password ${password} as`)
      for (const person of demoPeople) console.log(`  ${person.email.padEnd(24)} ${person.role}`)
    },
  },
)
