import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { apiBase, tokenLinkEndpoints } from '@pult/contract'
import { expectPage, freePort, workerBrowser } from '@pult/testkit'
import { expect, test } from 'vitest'
import { dataFolder, startProcess } from './server-process.ts'

const pult = (args: string[], settings: Record<string, string>) =>
  promisify(execFile)(process.execPath, ['apps/server/src/cli.ts', ...args], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
  })

async function startServer(settings: Record<string, string>) {
  const port = String(await freePort())
  const server = startProcess({ PORT: port, BACKUP_SCHEDULE: 'off', ...settings })
  await server.ready()
  return { ...server, url: `http://localhost:${port}`, link: server.firstRootLink() ?? '' }
}

test('DEC-28 the set-up page restores a backup: a wrong key and a damaged archive change nothing', {
  timeout: 240_000,
}, async () => {
  const backups = await dataFolder()
  const sheet = join(backups, 'sheet.html')
  const settings = { PULT_DATA: await dataFolder(), BACKUP_FOLDER: backups }
  const old = await startServer(settings)
  const { stdout } = await pult(['backup', 'key', '--sheet', sheet], settings)
  const key = /AGE-SECRET-KEY-1\w+\nPULT-SIGNER-\w+/.exec(await readFile(sheet, 'utf8'))?.[0] ?? ''
  const recipient = /BACKUP_RECIPIENT=(\S+)/.exec(stdout)?.[1] ?? ''
  const former = { ...settings, BACKUP_RECIPIENT: recipient }
  const token = old.link.split('/bift/')[1] ?? ''
  const redeem = apiBase + tokenLinkEndpoints.redeem.path.replace(':token', token)
  const body = JSON.stringify({ firstname: 'Rosa', lastname: 'Root', password: 'eine gute lange Kette' })
  const headers = { 'content-type': 'application/json' }
  expect((await fetch(old.url + redeem, { method: 'POST', headers, body })).status).toBe(200)
  // Makes the archive long enough that the damage below is not in the beginning, which the server reads first.
  const extension = join(former.PULT_DATA, 'extensions/reports@1.0.0')
  await mkdir(extension, { recursive: true })
  await writeFile(join(extension, 'picture.bin'), randomBytes(300_000))
  const archive = (await pult(['backup'], former)).stdout.split('\n')[0] ?? ''
  old.kill('SIGTERM')
  await old.exited

  const server = await startServer({ PULT_DATA: await dataFolder(), BACKUP_FOLDER: backups })
  const browser = await workerBrowser()
  const page = await (await browser.newContext({ locale: 'en-GB' })).newPage()
  await page.goto(server.link)
  await page.getByRole('button', { name: 'Restore a backup instead' }).click()
  const field = page.getByLabel('Private key of the emergency sheet')
  const restore = page.getByRole('button', { name: 'Restore', exact: true })
  await field.fill(key.replace(/.{6}\n/, 'QQQQQQ\n'))
  await restore.click()
  await expectPage(page.getByText('This private key does not decrypt the backup')).toBeVisible()

  const whole = await readFile(archive)
  const damaged = Buffer.from(whole)
  damaged[whole.length - 40] = (whole[whole.length - 40] ?? 0) ^ 1
  await writeFile(archive, damaged)
  await field.fill(key)
  await restore.click()
  await expectPage(page.getByText('The restore failed, and nothing has changed')).toBeVisible({
    timeout: 60_000,
  })
  await expectPage(page.getByText('is damaged')).toBeVisible()

  await writeFile(archive, whole)
  await page.getByLabel('Private key of the emergency sheet').fill(key)
  await restore.click()
  await expectPage(page.getByRole('heading', { name: 'The backup has been restored' })).toBeVisible({
    timeout: 60_000,
  })
  await page.getByRole('link', { name: 'Go to sign-in' }).click()
  await page.getByPlaceholder('Username / E-Mail').fill('root@localhost')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Password' }).click()
  await page.getByLabel('Password', { exact: true }).fill('eine gute lange Kette')
  await page.getByRole('button', { name: 'Login' }).click()
  await expectPage(page.getByRole('link', { name: 'Root' })).toBeVisible()
})
