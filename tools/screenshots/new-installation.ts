import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, Page } from 'playwright-core'
import { root } from '../steps.ts'

/** The states of a new installation, in the order in which its first user sees them. */
export const newStates = ['setup', 'first-steps'] as const
export type NewState = (typeof newStates)[number]

const password = 'eine gute lange Kette'

/** Sets a new installation up and calls `shoot` at each state. */
export async function takeNew(
  browser: Browser,
  port: number,
  shoot: (page: Page, state: NewState) => Promise<void>,
): Promise<void> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'pult-new-'))
  const server = spawn(process.execPath, [join(root, 'apps/server/src/main.mjs')], {
    env: { ...process.env, PORT: String(port), PULT_DATA: dataFolder },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => server.once('exit', resolve))
  try {
    const page = await (await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Berlin' })).newPage()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(await linkIn(server.stdout))
    await page.getByLabel('First name').fill('Henrik')
    await page.getByLabel('Last name').fill('Albers')
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByLabel('Confirm password').fill(password)
    await shoot(page, 'setup')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'Hide' }).waitFor()
    await shoot(page, 'first-steps')
  } finally {
    server.kill()
    await ended
    await rm(dataFolder, { recursive: true, force: true })
  }
}

async function linkIn(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const link = /https?:\/\/\S+\/bift\/\S+/.exec(line)?.[0]
    if (link !== undefined) return link
  }
  throw new Error('The new installation printed no set-up link')
}
