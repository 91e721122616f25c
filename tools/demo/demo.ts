import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../apps/server/src/config.ts'
import { ensureSecret } from '../../apps/server/src/installation/secret.ts'
import { defaultDataFolder } from '../../apps/server/src/platform/database/embedded/embedded-database.ts'
import { serve } from '../../apps/server/src/serve.ts'
import { buildConsole } from '../build-console.ts'
import { buildExtensions } from '../build-extensions.ts'
import { giveDemoData } from './demo-data.ts'

/*
 * npm run demo: the product with people, organisations and projects in it, in a data folder of its own. The password is
 * made anew at each start and printed, because no account has a default one.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const dataFolder = process.env.PULT_DATA ?? `${defaultDataFolder(root)}-demo`
const environment = { ...process.env, PULT_DATA: dataFolder }
const password = randomBytes(9).toString('base64url')

await buildConsole()
await buildExtensions()
await serve(environment, {
  prepare: async (db) => {
    const { secret } = readConfig(environment)
    const secrets = await ensureSecret({ db, secret, dataFolder })
    const accounts = await giveDemoData(db, { password, secrets })
    console.log(`Sign in with the password ${password} as`)
    for (const { email, who, otpSecret } of accounts) {
      const secondFactor = otpSecret === undefined ? '' : `; one-time passwords of the secret ${otpSecret}`
      console.log(`  ${email.padEnd(28)} ${who}${secondFactor}`)
    }
  },
})
