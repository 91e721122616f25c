import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expectPage, freePort, workerBrowser } from '@pult/testkit'
import { afterAll, expect, test } from 'vitest'
import { buildEdgeAgent } from '../tools/build-edge-agent.ts'
import { dataFolder, signal, startProcess } from './server-process.ts'

/* The first steps of a new root, from the first sign-in to the first edge online. */

const ends: (() => void | Promise<void>)[] = []
afterAll(async () => {
  for (const end of ends.toReversed()) await end()
})

/** Runs a pasted command in a shell with a separate home folder. Its programs end with the test. */
async function paste(command: string): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'pult-machine-'))
  ends.push(() => rm(home, { recursive: true, force: true }))
  const path = `${dirname(process.execPath)}:${process.env.PATH}`
  const shell = spawn('bash', ['-c', command], {
    cwd: home,
    env: { PATH: path, HOME: home, STATE_DIRECTORY: join(home, 'state') },
    stdio: 'ignore',
    detached: true,
  })
  ends.push(() => signal(-(shell.pid ?? 0), 'SIGKILL'))
}

test('five clicks and one pasted command lead from the first sign-in to the first edge online', {
  timeout: 180_000,
}, async () => {
  await buildEdgeAgent()
  const port = await freePort()
  const server = startProcess({ PORT: String(port), PULT_DATA: await dataFolder() })
  await server.ready()
  const browser = await workerBrowser()
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 800 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const page = await context.newPage()
  await page.addInitScript(() => {
    addEventListener(
      'click',
      ({ isTrusted, detail }) => {
        // Clicks by keyboard have no detail.
        if (isTrusted && detail > 0)
          sessionStorage.setItem('clicks', String(Number(sessionStorage.getItem('clicks')) + 1))
      },
      true,
    )
  })

  await page.goto(server.firstRootLink() ?? '')
  await page.getByLabel('First name').fill('Rosa')
  await page.getByLabel('Last name').fill('Root')
  await page.getByLabel('Password', { exact: true }).fill('eine gute lange Kette')
  await page.getByLabel('Confirm password').fill('eine gute lange Kette')
  await page.keyboard.press('Enter')
  const steps = page.getByRole('region', { name: 'First steps' })
  await expectPage(steps).toBeVisible()
  await page.evaluate(() => sessionStorage.setItem('clicks', '0'))

  await steps.getByRole('link', { name: 'Create project' }).click()
  await expectPage(page.getByLabel('Label')).toBeFocused()
  await page.keyboard.type('Hafen')
  await page.getByRole('button', { name: 'Save' }).click()
  await steps.getByRole('link', { name: 'Add an edge' }).click()
  const dialog = page.getByRole('dialog')
  await expectPage(dialog.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Kran 1')
  await dialog.getByRole('button', { name: 'Add an edge' }).click()
  await dialog.getByRole('button', { name: 'Copy' }).click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await expect.poll(copied).toContain('--code')
  await paste(await copied())
  await expectPage(dialog.getByText('Kran 1 is online')).toBeVisible({ timeout: 60_000 })
  expect(await page.evaluate(() => Number(sessionStorage.getItem('clicks')))).toBe(5)

  // Home shows the step as done.
  await page.goto(`http://localhost:${port}/`)
  await steps.getByRole('button', { name: 'All steps' }).click()
  const edge = steps.getByRole('listitem').filter({ hasText: 'Add your first edge' })
  await expectPage(edge.getByText('Kran 1')).toBeVisible()
  await expectPage(edge.getByRole('img', { name: 'Done' })).toBeVisible()
})
