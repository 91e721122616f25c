import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rootPeopleEndpoints, tokenLinkEndpoints } from '@pult/contract'
import { expectPage, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const newServer = () => testServer({ isNew: true, withConsole: true })
type NewServer = Awaited<ReturnType<typeof newServer>>

const password = 'eine gute lange Kette'
const rosa = { firstname: 'Rosa', lastname: 'Root', password }

async function setUpLink({ app, watchSecret }: NewServer): Promise<string> {
  const link = (await app.firstRootLink()) ?? ''
  watchSecret(link.split('/bift/')[1] ?? '')
  return link
}
const redeem = (server: NewServer, link: string) =>
  server.call(tokenLinkEndpoints.redeem, { params: { token: link.split('/bift/')[1] ?? '' }, body: rosa })

const heading = ({ page }: OpenedConsole, name: string) => page.getByRole('heading', { name, exact: true })

const languages = [
  {
    locale: 'en-US',
    link: 'Open the set-up link',
    field: 'Set-up link',
    open: 'Open',
    account: 'Your account',
    installation: 'English',
    labels: ['First name', 'Last name', 'Password', 'Confirm password', 'Create account'],
    tooCommon: 'on lists of common passwords',
    home: /^Good (morning|afternoon|evening), Rosa$/,
  },
  {
    locale: 'de-DE',
    link: 'Einrichtungslink öffnen',
    field: 'Einrichtungslink',
    open: 'Öffnen',
    account: 'Ihr Konto',
    installation: 'Deutsch',
    labels: ['Vorname', 'Nachname', 'Passwort', 'Passwort bestätigen', 'Konto erstellen'],
    tooCommon: 'auf Listen häufiger Passwörter',
    home: /^Guten (Morgen|Tag|Abend), Rosa$/,
  },
  {
    locale: 'fr-FR',
    link: 'Open the set-up link',
    field: 'Set-up link',
    open: 'Open',
    account: 'Ihr Konto',
    installation: 'Standard (Englisch und Deutsch)',
    labels: ['Vorname', 'Nachname', 'Passwort', 'Passwort bestätigen', 'Account erstellen'],
    tooCommon: 'auf Listen häufiger Passwörter',
    home: /^Good (morning|afternoon|evening), Rosa$/,
  },
]

test.each(languages)(
  'DEC-28 a browser with the language $locale sets up the installation in its language',
  async ({ locale, link, field, open, account, installation, labels, tooCommon, home }) => {
    const server = await newServer()
    const opened = await openConsole(server, { path: '/app/edges?project=x', locale })
    const { page } = opened
    await expectPage(heading(opened, link)).toBeVisible()
    await expectPage(page.getByLabel(field)).toBeFocused()
    await expectPage(page.getByText(/PostgreSQL \d/)).toBeVisible()
    await opened.expectAccessible()

    await page.getByLabel(field).fill(await setUpLink(server))
    await page.getByRole('button', { name: open, exact: true }).click()
    await expectPage(heading(opened, account)).toBeVisible()
    const [firstname = '', lastname = '', first = '', second = '', create = ''] = labels
    await expectPage(page.getByLabel(firstname)).toBeFocused()
    await expectPage(page.getByText('root@localhost', { exact: true })).toBeVisible()
    await expectPage(page.getByText(/invited|eingeladen/)).toHaveCount(0)
    await page.getByLabel(firstname).fill('Rosa')
    await page.getByLabel(lastname).fill('Root')
    await page.getByLabel(first, { exact: true }).fill('passwort1')
    await page.getByLabel(second).fill('passwort1')
    await page.getByRole('button', { name: create }).click()
    // The server's error is at the field.
    await expectPage(page.getByLabel(first, { exact: true })).toHaveAccessibleDescription(
      new RegExp(tooCommon),
    )
    await expectPage(page.getByLabel(first, { exact: true })).toBeFocused()
    await page.getByLabel(first, { exact: true }).fill(password)
    await page.getByLabel(second).fill(password)
    await opened.expectAccessible()
    await expectPage(page.getByRole('combobox').last().locator('option:checked')).toHaveText(installation)
    await page.getByRole('button', { name: create }).click()
    await expectPage(page.getByRole('heading', { level: 1, name: home })).toBeVisible()
    expect(opened.complaints).toEqual([])
  },
)

test('DEC-28 a change of language keeps typed input, and suggests the new language for the installation', async () => {
  const server = await newServer()
  const opened = await openConsole(server, {
    path: new URL(await setUpLink(server)).pathname,
    locale: 'en-GB',
  })
  const { page } = opened
  await page.getByLabel('First name').fill('Rosa')
  await page.getByLabel('Last name').fill('Root')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  await page.getByLabel('Language of this page').selectOption('Deutsch')
  await expectPage(heading(opened, 'Ihr Konto')).toBeVisible()
  await expectPage(page.locator('html')).toHaveAttribute('lang', 'de-DE')
  await expectPage(page.getByLabel('Vorname')).toHaveValue('Rosa')
  await expectPage(page.getByLabel('Passwort', { exact: true })).toHaveValue(password)
  await page.getByLabel('Sprache dieser Seite').selectOption('Standard')
  await page.getByLabel('Sprache der Installation').selectOption('Deutsch')
  await page.getByRole('button', { name: 'Account erstellen' }).click()
  await expectPage(page.getByRole('heading', { name: /^Good .+, Rosa$/ })).toBeVisible()
  const { language } = await server.db.selectFrom('installation').select('language').executeTakeFirstOrThrow()
  expect(language).toBe('de-DE')
  // The next browser starts in the installation's language.
  const next = await openConsole(server, { locale: 'en-GB' })
  await expectPage(heading(next, 'Anmelden')).toBeVisible()
})

test('a wrong link shows an error at its field, and an expired one shows where to find the current link', async () => {
  const server = await newServer()
  const old = await setUpLink(server)
  const link = await setUpLink(server)
  const opened = await openConsole(server, { path: new URL(old).pathname, locale: 'en-GB' })
  const { page } = opened
  const field = page.getByLabel('Set-up link')
  await expectPage(field).toHaveAccessibleDescription(/no longer valid.+newer one/)
  await opened.expectAccessible()
  await page.getByRole('button', { name: 'Open' }).click()
  await expectPage(field).toHaveAccessibleDescription('Paste the link')
  await field.fill('https://elsewhere.example.org/bift/abcdefghijklmnopqrstuvwxyz')
  await page.getByRole('button', { name: 'Open' }).click()
  await expectPage(field).toHaveAccessibleDescription('This is not a link to this console')
  await field.fill(link)
  await page.keyboard.press('Enter')
  await expectPage(heading(opened, 'Your account')).toBeVisible()
})

test('open set-up pages detect that a root was created elsewhere, even on another node', async () => {
  const server = await newServer()
  const second = await testServer({ isNew: true, withConsole: true, besides: server })
  const link = await setUpLink(server)
  const pasting = await openConsole(second, { locale: 'en-GB' })
  const registering = await openConsole(server, { path: new URL(link).pathname, locale: 'en-GB' })
  await expectPage(heading(pasting, 'Open the set-up link')).toBeVisible()
  await registering.page.getByLabel('First name').fill('Ruth')
  expect(await redeem(server, link)).toSucceed()
  await expectPage(pasting.page.getByPlaceholder('Username / E-Mail')).toBeVisible()
  await expectPage(pasting.page).toHaveURL(`${second.url}/`)
  await expectPage(heading(registering, 'This installation has been set up')).toBeVisible()
  await registering.expectAccessible()
  await registering.page.getByRole('link', { name: 'Go to sign-in' }).click()
  await expectPage(registering.page.getByPlaceholder('Username / E-Mail')).toBeVisible()
})

test('RULE-79 the user who submits the form second sees that the installation has been set up', async () => {
  const server = await newServer()
  const link = await setUpLink(server)
  const { page, ...opened } = await openConsole(server, { path: new URL(link).pathname, locale: 'en-GB' })
  await page.getByLabel('First name').fill('Ruth')
  await page.getByLabel('Last name').fill('Root')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Confirm password').fill(password)
  expect(await redeem(server, link)).toSucceed()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expectPage(
    page
      .getByText('This link is no longer valid')
      .or(page.getByText('This installation has been set up'))
      .first(),
  ).toBeVisible()
  await expectPage(page.getByRole('heading', { name: 'This installation has been set up' })).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('the set-up page names the folder for a copied backup, and finds the backup there', async () => {
  const place = await mkdtemp(join(tmpdir(), 'pult-copied-'))
  const server = await testServer({ isNew: true, withConsole: true, settings: { BACKUP_FOLDER: place } })
  const opened = await openConsole(server, {
    path: new URL(await setUpLink(server)).pathname,
    locale: 'en-GB',
  })
  const { page } = opened
  await page.getByRole('button', { name: 'Restore a backup instead' }).click()
  await expectPage(page.getByText(place)).toBeVisible()
  await opened.expectAccessible()
  await mkdir(join(place, 'archives'))
  await writeFile(join(place, 'archives/20261124T020000000Z-1a2b3c4d.pult'), 'pult-backup 1\n')
  await page.getByRole('button', { name: 'Look again' }).click()
  await expectPage(page.getByLabel('Backup', { exact: true }).locator('option')).toHaveText(/2026/)
  await rm(place, { recursive: true })
})

test('a failed list of backups can be reloaded by a button, and no empty choice is offered', async () => {
  const place = await mkdtemp(join(tmpdir(), 'pult-listed-'))
  await mkdir(join(place, 'archives'))
  await writeFile(join(place, 'archives/20261124T020000000Z-1a2b3c4d.pult'), 'pult-backup 1\n')
  const server = await testServer({ isNew: true, withConsole: true, settings: { BACKUP_FOLDER: place } })
  const opened = await openConsole(server, {
    path: new URL(await setUpLink(server)).pathname,
    locale: 'en-GB',
  })
  const { page } = opened
  await page.route(/\/api\/setup\/backups$/, (route) => route.abort())
  await page.getByRole('button', { name: 'Restore a backup instead' }).click()
  await expectPage(page.getByRole('alert')).toContainText('The server cannot be reached')
  await expectPage(page.getByLabel('Backup', { exact: true })).toHaveCount(0)
  await opened.expectAccessible()
  await page.unroute(/\/api\/setup\/backups$/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectPage(page.getByLabel('Backup', { exact: true }).locator('option')).toHaveText(/2026/)
  await expectPage(page.getByRole('alert')).toHaveCount(0)
  await rm(place, { recursive: true })
})

test('DEC-28 an invitation opens in the language that its inviter chose', async () => {
  const server = await testServer({ withConsole: true })
  const root = await server.given.person({ isRoot: true })
  await server.db
    .insertInto('settings')
    .values({
      person_id: root.personId,
      name: 'console',
      value: JSON.stringify({ language: 'en' }),
      revision: 1,
    })
    .execute()
  const { body } = await root.call(rootPeopleEndpoints.invite, { body: { email: 'ines@example.org' } })
  server.watchSecret(body.link?.split('/bift/')[1] ?? '')
  const opened = await openConsole(server, { path: new URL(body.link ?? '').pathname })
  await expectPage(opened.page.getByLabel('First name')).toBeVisible()
  await expectPage(opened.page.getByText('You have been invited')).toBeVisible()
})
