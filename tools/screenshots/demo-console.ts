import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loginEndpoints } from '@pult/contract'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { ensureSecret } from '../../apps/server/src/installation/secret.ts'
import type { OpenDatabase } from '../../apps/server/src/platform/database/database.ts'
import { serve } from '../../apps/server/src/serve.ts'
import { callEndpoint } from '../../packages/testkit/src/call.ts'
import { buildConsole } from '../build-console.ts'
import { buildEdgeAgent } from '../build-edge-agent.ts'
import { buildExtensions } from '../build-extensions.ts'
import { addDemoData } from '../demo/demo-data.ts'
import { type DemoName, demoPeople } from '../demo/demo-people.ts'
import { trialRun } from '../demo/trial-run.ts'

/** Starts the product with the demo in this process, with a temporary data folder. */
export interface DemoConsole {
  url: string
  /** The password of all accounts. */
  password: string
  dataFolder: string
  db: OpenDatabase['db']
}

export async function serveDemo(port: number): Promise<DemoConsole> {
  await buildConsole()
  await buildExtensions()
  await buildEdgeAgent()
  const password = randomBytes(9).toString('base64url')
  const dataFolder = await mkdtemp(join(tmpdir(), 'pult-screens-'))
  process.on('exit', () => rmSync(dataFolder, { recursive: true, force: true }))
  const opened = Promise.withResolvers<OpenDatabase['db']>()
  await serve(
    { ...process.env, PORT: String(port), PULT_DATA: dataFolder },
    {
      taskKinds: [trialRun],
      prepare: async (db) => {
        opened.resolve(db)
        const secrets = await ensureSecret({ db, secret: process.env.PULT_SECRET, dataFolder })
        await addDemoData(db, { password, secrets })
      },
    },
  )
  return { url: `http://localhost:${port}`, password, dataFolder, db: await opened.promise }
}

/** Signs a user in. Returns the token. */
export async function tokenOf({ url, password }: DemoConsole, name: DemoName): Promise<string> {
  const data = { username: demoPeople[name].email, password }
  const { body } = await callEndpoint(url, undefined, loginEndpoints.login, {
    body: { type: 'credentials', data },
  })
  if (body.token === undefined) throw new Error(`${name} could not sign in`)
  return body.token
}

/**
 * Opens a browser for a signed-in or anonymous user. The session continues across pages, because its token is
 * renewed.
 */
export async function openAs(
  browser: Browser,
  demo: DemoConsole,
  name: DemoName | undefined,
  { locale = 'de-DE', url = demo.url, hasTouch = false } = {},
): Promise<Page> {
  const context = await browser.newContext({ baseURL: url, locale, timezoneId: 'Europe/Berlin', hasTouch })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  if (name === undefined) return page
  const token = await tokenOf(demo, name)
  await page.goto(`${url}/imprint`)
  await page.evaluate(`localStorage.setItem('pult.token', ${JSON.stringify(token)})`)
  return page
}

/** Committed pictures use a reduced palette, which suffices for a console and keeps the repository small. */
export async function writeReduced(picture: Buffer, file: string): Promise<void> {
  await sharp(picture).png({ palette: true, quality: 90, effort: 7, compressionLevel: 9 }).toFile(file)
}
