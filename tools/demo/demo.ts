import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readConfig } from '../../apps/server/src/config.ts'
import { ensureSecret } from '../../apps/server/src/installation/secret.ts'
import type { OpenDatabase } from '../../apps/server/src/platform/database/database.ts'
import { defaultDataFolder } from '../../apps/server/src/platform/database/embedded/embedded-database.ts'
import { serve } from '../../apps/server/src/serve.ts'
import { buildConsole } from '../build-console.ts'
import { buildEdgeAgent } from '../build-edge-agent.ts'
import { buildExtensions } from '../build-extensions.ts'
import { addDemoData } from './demo-data.ts'
import { addPastValues } from './demo-history.ts'
import { addDemoLife } from './demo-life.ts'
import { trialRun } from './trial-run.ts'

/*
 * npm run demo: the product with example data in its own data folder. Each start generates and prints a new password,
 * because no account has a default one.
 */

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const dataFolder = process.env.PULT_DATA ?? `${defaultDataFolder(root)}-demo`
const environment = { ...process.env, PULT_DATA: dataFolder }
const password = randomBytes(9).toString('base64url')

await buildConsole()
await buildExtensions()
await buildEdgeAgent()
const opened = Promise.withResolvers<OpenDatabase['db']>()
await serve(environment, {
  taskKinds: [trialRun],
  prepare: async (db) => {
    opened.resolve(db)
    const { secret } = readConfig(environment)
    const secrets = await ensureSecret({ db, secret, dataFolder })
    const accounts = await addDemoData(db, { password, secrets })
    // The user of this computer usually opens the demo in its browser, and the default catalogue mixes languages.
    const language = Intl.DateTimeFormat().resolvedOptions().locale.startsWith('de') ? 'de-DE' : 'en'
    await db.updateTable('installation').set({ language }).where('language', 'is', null).execute()
    console.log(`Sign in with the password ${password} as one of these users:`)
    for (const { email, who, otpSecret } of accounts) {
      const secondFactor = otpSecret === undefined ? '' : `; secret for one-time passwords: ${otpSecret}`
      console.log(`  ${email.padEnd(28)} ${who}${secondFactor}`)
    }
  },
})

// The local address, because a proxy in front of the server may not be running.
const { port } = readConfig(environment)
try {
  const life = await addDemoLife({
    url: `http://localhost:${port}`,
    password,
    dataFolder,
    isWhole: true,
  })
  process.on('exit', () => life.stop())
  await addPastValues(await opened.promise)
  console.log('Media, edges, tasks and Stream Decks are ready. Ctrl+C stops the demo.')
} catch (error) {
  console.error(`The demo is incomplete: ${error instanceof Error ? error.message : String(error)}`)
}
