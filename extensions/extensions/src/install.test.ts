import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootExtensionEndpoints } from '@pult/contract'
import { expectPage, openConsole, testServer, writeExtension } from '@pult/testkit'
import { create } from 'tar'
import { afterAll, expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server
const root = await given.person({ isRoot: true })

const scratch = await mkdtemp(join(tmpdir(), 'pult-archives-'))
afterAll(() => rm(scratch, { recursive: true, force: true }))

/** Packs an archive like an author. Returns its path. */
async function packed(version: string): Promise<string> {
  const folder = join(scratch, version)
  await writeExtension(join(folder, 'package'), {
    manifest: { id: 'reports', label: 'Reports', version, backend: { label: 'The press' } },
  })
  const file = join(scratch, `reports-${version}.tgz`)
  await create({ gzip: true, cwd: folder, file }, ['package'])
  return file
}
const reports = async () =>
  (await root.call(rootExtensionEndpoints.list)).body.items.find(({ id }) => id === 'reports')

test('DEC-20 DEC-21 RULE-15 root installs archives after a recent sign-in, runs the chosen version, sees its service’s address, and deletes inactive ones', async () => {
  const rita = await given.person({ firstname: 'Rita', isRoot: true })
  const opened = await openConsole(server, { as: rita, path: '/app/extensions' })
  const { page } = opened
  const main = page.getByRole('main')
  const notices = page.getByRole('region', { name: 'Notifications' })
  const question = page.getByRole('alertdialog')
  const row = (version: string) =>
    page
      .getByRole('table', { name: 'Versions' })
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader', { name: version }) })
  const install = async (version: string) => {
    await main.getByRole('button', { name: 'Install an extension' }).click()
    await page
      .getByRole('dialog')
      .locator('input[type=file]')
      .setInputFiles(await packed(version))
    await page.getByRole('dialog').getByRole('button', { name: 'Install', exact: true }).click()
  }

  await expectPage(main.getByRole('grid', { name: 'Extensions' })).toBeVisible()
  await rita.forgetSignIn()
  await install('1.0.0')
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expectPage(proof.getByLabel('Password', { exact: true }).last()).toBeFocused()
  await page.keyboard.type(rita.password)
  await page.keyboard.press('Enter')
  await expectPage(page).toHaveURL('/app/extensions/reports')
  await expectPage(notices.getByText('Reports is installed')).toBeVisible()
  await expectPage(row('1.0.0')).toContainText('Ready')
  expect((await reports())?.isEnabled).toBe(false)

  await main.getByRole('link', { name: 'All extensions' }).click()
  await install('2.0.0')
  await expectPage(row('2.0.0')).toContainText('Ready')
  await row('1.0.0').getByRole('button', { name: 'Enable 1.0.0' }).click()
  await question.getByRole('button', { name: 'Enable' }).click()
  await expectPage(row('1.0.0')).toContainText('Running')
  await expectPage(row('1.0.0').getByRole('button')).toHaveCount(0)
  expect((await reports())?.versions.find(({ isRunning }) => isRunning)?.version).toBe('1.0.0')

  await row('2.0.0').getByRole('button', { name: 'Delete 2.0.0' }).click()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expectPage(row('2.0.0')).toHaveCount(0)
  expect((await reports())?.versions.map(({ version }) => version)).toEqual(['1.0.0'])

  const address = main.getByLabel('Address', { exact: true })
  await address.fill('ftp://press')
  await main.getByRole('button', { name: 'Save' }).click()
  await expectPage(main.getByText('Enter an address that begins with http')).toBeVisible()
  await address.fill('https://press.example.org')
  await main.getByRole('button', { name: 'Save' }).click()
  await expectPage(notices.getByText('Address saved')).toBeVisible()
  expect((await reports())?.backend?.url).toMatch(/^https:\/\/press\.example\.org/)
  await main.getByRole('button', { name: 'Remove address' }).click()
  await question.getByRole('button', { name: 'Remove address' }).click()
  await expectPage(address).toHaveValue('')
  await expect.poll(async () => (await reports())?.backend?.url).toBeNull()
  expect(opened.complaints).toEqual([])
})
