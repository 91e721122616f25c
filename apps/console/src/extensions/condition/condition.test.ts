import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSigner } from '@pult/server/backup/signer.ts'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server

test('ROUTE-10 /root shows pending decisions with their controls, then the condition; root changes a retention in its row and confirms a shorter one', async () => {
  const root = await given.person({ firstname: 'Ruth', lastname: 'Root', isRoot: true })
  const opened = await openConsole(server, { as: root, path: '/root' })
  const { page } = opened
  const toDo = page.getByRole('region', { name: 'To do' })
  const risk = toDo.getByRole('listitem').filter({ hasText: 'no second factor' })
  await expectPage(risk).toContainText('Ruth Root')
  await expectPage(risk.getByRole('link', { name: 'Set up' })).toHaveAttribute('href', /\/me\/otp/)
  await expectPage(page.getByRole('list', { name: 'Root' })).toContainText(/Accounts\d+ (person|people)/)
  for (const name of ['Database and storage', 'Mail', 'Sign-in', 'Nodes', 'Jobs', 'Extensions'])
    await expectPage(page.getByRole('region', { name, exact: true })).toBeVisible()
  await expectPage(page.getByRole('table', { name: 'Nodes' })).toContainText('Responds')
  await expectPage(page.getByRole('table', { name: 'Retention' })).toContainText('2 years')

  const backups = toDo.getByRole('listitem').filter({ hasText: 'Backups are not set up' })
  await expectPage(backups.getByRole('button', { name: 'Copy setting' })).toBeVisible()
  const card = page.getByRole('region', { name: 'Backups' })
  await expectPage(card).toContainText('Not set up')
  const guide = card.getByRole('link', { name: 'How to set up backups' })
  await expectPage(guide).toHaveAttribute('href', '/api/guides/backup')
  const nodes = page.getByRole('region', { name: 'Nodes', exact: true })
  await expectPage(nodes.getByRole('link', { name: 'How to add a node' })).toBeVisible()

  const mail = page.getByRole('region', { name: 'Mail', exact: true })
  await mail.getByRole('button', { name: 'Send a test' }).click()
  await expectPage(mail).toContainText(/An e-mail to \S+ was written to the folder/)
  await expectPage(mail).toContainText('· test')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download diagnostics' }).click()
  expect((await download).suggestedFilename()).toMatch(/^pult-diagnostics-[\dT-]+\.json$/)

  const retention = page.getByRole('table', { name: 'Retention' })
  await expectPage(retention.getByRole('row', { name: /^Audit log/ })).toContainText('2 years')
  await expectPage(retention.getByRole('row', { name: /^Events/ })).toContainText('15 minutes')
  const mails = retention.getByLabel('Mails: kept for')
  await mails.selectOption('14 days')
  const dialog = page.getByRole('alertdialog', { name: 'Keep Mails for 14 days?' })
  await dialog.getByRole('button', { name: 'Keep for less time' }).click()
  await expectPage(page.getByText('Retention changed')).toBeVisible()
  await expectPage(mails).toHaveValue('14')
  await opened.expectAccessibleInLooks()
})

test('Madek/Madek#897 root puts a restored copy into service on /root', async () => {
  const copy = await testServer({ withConsole: true })
  await sql`update installation set is_copy = true, public_url = 'https://pult.example.org'`.execute(copy.db)
  const root = await copy.given.person({ isRoot: true, otp: true })
  const opened = await openConsole(copy, { as: root, path: '/root' })
  const { page } = opened
  const item = page
    .getByRole('region', { name: 'To do' })
    .getByRole('listitem')
    .filter({ hasText: 'This is a copy of https://pult.example.org' })
  await expectPage(item).toContainText('it sends no mail')
  await opened.expectAccessibleInLooks()
  await item.getByRole('button', { name: 'Put into service' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Put this installation into service?' })
  await dialog.getByRole('button', { name: 'Put into service' }).click()
  await expectPage(page.getByText('The installation is in service')).toBeVisible()
  await expectPage(item).toHaveCount(0)
})

test('/root shows the problems of other nodes by name, failures first', async () => {
  const many = await testServer({ withConsole: true })
  const text = (de: string) => ({ de, 'de-DE': de })
  const late = { id: 'ready', level: 'danger', what: text('Events are late'), fix: text('Raise the limit') }
  const seenAt = new Date().toISOString()
  const origin = {
    id: 'origin',
    level: 'warning',
    what: text('A page at x'),
    fix: text('Redirect it'),
    seenAt,
  }
  for (const [name, problems] of [
    ['pult-2', [late, origin]],
    ['pult-3', [{ ...late, what: text('Jobs do not run') }]],
  ] as const)
    await sql`insert into node (id, name, version, started_at, seen_at, sockets, edges, memory, problems)
      values (gen_random_uuid(), ${name}, '2.4.0', now(), now() + interval '4 seconds', 0, 0, 1,
        ${JSON.stringify(problems)}::jsonb)`.execute(many.db)
  const as = await many.given.person({ isRoot: true })
  const { page } = await openConsole(many, { as, path: '/root' })
  const items = page.getByRole('region', { name: 'To do' }).getByRole('listitem')
  await expectPage(items.nth(0)).toContainText(/Node pult-2: Events are late\s*Raise the limit/)
  await expectPage(items.nth(1)).toContainText('Node pult-3: Jobs do not run')
  await expectPage(items.filter({ hasText: 'A page at x' })).toContainText('Redirect it')
})

test('an unreachable file store does not affect the other cards of /root', async () => {
  const broken = await testServer({ withConsole: true })
  const folder = join(broken.dataFolder, 'files')
  await rm(folder, { recursive: true, force: true })
  await writeFile(folder, 'a file in the place of the folder')
  const as = await broken.given.person({ isRoot: true })
  const { page } = await openConsole(broken, { as, path: '/root' })
  const storage = page.getByRole('region', { name: 'Database and storage' })
  await expectPage(storage).toContainText('The file store cannot be reached')
  await expectPage(storage).toContainText('embedded')
  await expectPage(page.getByRole('region', { name: 'Sign-in' })).toContainText('Signed in now')
})

test('a condition that cannot be refetched stays visible with its time and the time of the next attempt', async () => {
  const as = await given.person({ isRoot: true })
  const { page } = await openConsole(server, { as, path: null })
  let fails = false
  await page.route('**/api/apps/root/condition', (route) =>
    fails ? route.fulfill({ status: 404, json: { code: 'NOT_FOUND', message: 'Gone' } }) : route.continue(),
  )
  await page.goto('/root')
  const mail = page.getByRole('region', { name: 'Mail', exact: true })
  await expectPage(mail).toContainText('Last sent')
  fails = true
  // Its end refetches the condition.
  await mail.getByRole('button', { name: 'Send a test' }).click()
  for (const card of [mail, page.getByRole('region', { name: 'Sign-in', exact: true })])
    await expectPage(card).toContainText(/as of \d\d:\d\d.*Next attempt in \d+/)
  await expectPage(mail).toContainText('Last sent')
})

test('root makes a backup on /root and sees its archive', async () => {
  const place = await mkdtemp(join(tmpdir(), 'pult-backups-'))
  const secret = randomBytes(32).toString('base64')
  const recipient = 'age1t7zj4lsucn8zquk8pv7xvkxkpggce50s6dtxetpvlrlxdzcppsws0wlr2p'
  const backed = await testServer({
    withConsole: true,
    secret,
    settings: {
      BACKUP_FOLDER: place,
      BACKUP_RECIPIENT: `${recipient}.${createSigner(secret).fingerprint}`,
      BACKUP_SCHEDULE: 'off',
      BACKUP_DRILL: 'off',
    },
  })
  await writeFile(join(backed.dataFolder, 'secret'), backed.secret)
  const as = await backed.given.person({ isRoot: true })
  const { page } = await openConsole(backed, { as, path: '/root' })
  const card = page.getByRole('region', { name: 'Backups' })
  await expectPage(card).toContainText('None yet')
  await card.getByRole('button', { name: 'Back up now' }).click()
  await expectPage(card).toContainText('Newest archives', { timeout: 60_000 })
  await expectPage(card).toContainText('not proven')
  await expectPage(page.getByRole('region', { name: 'To do' })).not.toContainText('no backup yet')
  await rm(place, { recursive: true, force: true })
})
