import type { Locator } from '@playwright/test'
import { loginEndpoints, meEndpoints, projectEndpoints, rootPeopleEndpoints } from '@pult/contract'
import {
  expectPage,
  type GivenPerson,
  muteEvents,
  type OpenedConsole,
  openConsole,
  testServer,
} from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given, db } = server
/**
 * Verifies the console's changes through the API. Other accounts open the console, because it soon replaces the token
 * that it receives.
 */
const root = await given.person({ firstname: 'Ruth', lastname: 'Wurzel', isRoot: true })
const anotherRoot = () => given.person({ firstname: 'Rita', isRoot: true })

const main = ({ page }: OpenedConsole) => page.getByRole('main')
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
const question = ({ page }: OpenedConsole) => page.getByRole('alertdialog')
const dialog = ({ page }: OpenedConsole) => page.getByRole('dialog')
const proof = ({ page }: OpenedConsole) => page.getByRole('dialog', { name: 'Confirm that it is you' })
const button = (opened: OpenedConsole, name: string) =>
  main(opened).getByRole('button', { name, exact: true })
const search = (opened: OpenedConsole) => opened.page.getByRole('searchbox', { name: 'Search accounts' })
const people = (opened: OpenedConsole) => opened.page.getByRole('grid', { name: 'Accounts' })

const open = async (path = '/app/accounts', as?: GivenPerson) =>
  openConsole(server, { as: as ?? (await anotherRoot()), path })
const openAccount = (person: GivenPerson) => open(`/app/accounts/${person.personId}`)
const accountOf = async ({ personId }: GivenPerson) =>
  (await root.call(rootPeopleEndpoints.read, { params: { personId } })).body
const isSignedIn = async ({ token }: GivenPerson) =>
  (await server.call(meEndpoints.read, {}, token)).status === 200

/** Presses a button and confirms its question. */
async function confirm(opened: OpenedConsole, name: string, yes: string) {
  await button(opened, name).click()
  await question(opened).getByRole('button', { name: yes, exact: true }).click()
}

test('APP-10 APP-11 ROUTE-10 DEC-51 CRUD-01 Accounts is on the root page, and its list, accounts and invitation have addresses', async () => {
  const ada = await given.person({ lastname: 'Byron' })
  const opened = await open('/root')
  await opened.page
    .getByRole('main')
    .getByRole('link', { name: /^Accounts/ })
    .click()
  await expectPage(opened.page).toHaveURL('/app/accounts')
  await search(opened).fill(`byron email:${ada.email}`)
  await expectPage(people(opened).getByRole('row')).toHaveCount(2)
  await expectPage(opened.page).toHaveURL(
    `/app/accounts?search=byron+email%3A${encodeURIComponent(ada.email)}`,
  )
  await people(opened).getByRole('link', { name: 'Ada Byron' }).click()
  await expectPage(opened.page).toHaveURL(`/app/accounts/edit/${ada.personId}`)
  await expectPage(opened.page.getByRole('heading', { level: 1, name: 'Ada Byron' })).toBeVisible()
  await expectPage(opened.page).toHaveTitle('Ada Byron · Accounts · Pult')
  await opened.page.goBack()
  await expectPage(search(opened)).toHaveValue(`byron email:${ada.email}`)
  await expectPage(people(opened).getByRole('row')).toHaveCount(2)
  await opened.page.goto('/app/accounts/018f0000-0000-7000-8000-000000000000')
  await expectPage(main(opened).getByText('This account does not exist')).toBeVisible()
  // The address of the form to create one opens the invitation.
  await opened.page.goto('/app/accounts/create')
  await expectPage(dialog(opened).getByLabel('E-mail')).toBeFocused()
  await opened.page.keyboard.press('Escape')
  await expectPage(opened.page).toHaveURL('/app/accounts')
  await opened.page.goto('/app/accounts/create')
  await dialog(opened).getByLabel('E-mail').fill('lea@example.org')
  await opened.page.keyboard.press('Escape')
  await question(opened).getByRole('button', { name: 'Leave' }).click()
  await expectPage(opened.page).toHaveURL('/app/accounts')
  // An old address of an account redirects.
  await opened.page.goto(`/app/accounts/${ada.personId}`)
  await expectPage(opened.page).toHaveURL(`/app/accounts/edit/${ada.personId}`)
  await expectPage(opened.page.getByRole('heading', { level: 1, name: 'Ada Byron' })).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('ROLE-02 ROUTE-10 ROUTE-11 users other than root are sent home with a notice, see no link, and get their calls rejected', async () => {
  const ada = await given.person()
  const opened = await open('/imprint', ada)
  for (const path of ['/app/accounts', `/app/accounts/${root.personId}`]) {
    await opened.page.goto(path)
    await expectPage(main(opened).getByText('You cannot open this app')).toBeVisible()
    await expectPage(opened.page).toHaveURL('/')
    await expectPage(opened.page.getByRole('link', { name: 'Root', exact: true })).toHaveCount(0)
  }
  const params = { personId: root.personId }
  for (const endpoint of [
    rootPeopleEndpoints.read,
    rootPeopleEndpoints.endSessions,
    rootPeopleEndpoints.unlock,
    rootPeopleEndpoints.resetSecondFactor,
  ])
    expect(await ada.call(endpoint, { params })).toFailWith('FORBIDDEN')
})

test('many accounts are paged, and back navigation shows the previous page', async () => {
  const persons = Array.from({ length: 120 }, (_, index) => ({
    id: crypto.randomUUID(),
    firstname: 'Paged',
    lastname: `Person ${String(index).padStart(3, '0')}`,
    password_hash: null,
    is_root: false,
  }))
  await db.insertInto('person').values(persons).execute()
  await db
    .insertInto('email')
    .values(
      persons.map(({ id }) => ({
        id: crypto.randomUUID(),
        person_id: id,
        email: `${id}@example.org`,
        email_key: `${id}@example.org`,
        is_default: true,
        verified_at: new Date(),
      })),
    )
    .execute()
  const opened = await open('/app/accounts?search=name:paged')
  const first = people(opened).getByRole('link').first()
  // The table renders only the visible rows.
  await expectPage(people(opened)).toHaveAttribute('aria-rowcount', '51')
  await expectPage(main(opened).getByText('120 accounts · Page 1')).toBeVisible()
  const onFirst = await first.textContent()
  await button(opened, 'Next page').click()
  // Until the page arrives, the list shows the previous one, and a click would request the same page again.
  await expectPage(main(opened).getByText('120 accounts · Page 2')).toBeVisible()
  await button(opened, 'Next page').click()
  await expectPage(people(opened)).toHaveAttribute('aria-rowcount', '21')
  await expectPage(button(opened, 'Next page')).toBeDisabled()
  await opened.page.goBack()
  await expectPage(main(opened).getByText('120 accounts · Page 2')).toBeVisible()
  await button(opened, 'Previous page').click()
  await expectPage(first).toHaveText(onFirst ?? '')
  // Another search starts on its first page.
  await button(opened, 'Next page').click()
  await search(opened).fill('name:unknown')
  await expectPage(main(opened).getByText('No account found')).toBeVisible()
  await db.deleteFrom('person').where('firstname', '=', 'Paged').execute()
})

test('chips with counts filter by state, column headers sort, and the address stores both', async () => {
  await given.person({ firstname: 'Zoe', lastname: 'Chip', email: 'a@chip.example.org', otp: true })
  await given.person({ firstname: 'Abe', lastname: 'Chip', email: 'z@chip.example.org' })
  const opened = await open('/app/accounts?search=chip.example')
  const links = () => people(opened).getByRole('link').allTextContents()
  await expectPage.poll(links).toEqual(['Zoe Chip', 'Abe Chip'])
  await expectPage(main(opened).getByRole('button', { name: /^Disabled/ })).toHaveCount(0)
  await people(opened).getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expectPage.poll(links).toEqual(['Abe Chip', 'Zoe Chip'])
  await button(opened, 'No second factor 1').click()
  await expectPage.poll(links).toEqual(['Abe Chip'])
  await opened.page.reload()
  await expectPage.poll(links).toEqual(['Abe Chip'])
  await expectPage(opened.page).toHaveURL(/search=chip.example&sort=name&state=unprotected/)
  await search(opened).fill('unknown')
  await expectPage(main(opened).getByText('No account found')).toBeVisible()
  await opened.expectAccessible()
  await button(opened, 'Clear filters').click()
  await expectPage(button(opened, 'No second factor 1')).toHaveCount(0)
  await expectPage(people(opened).getByRole('columnheader', { name: 'Name' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  expect(opened.complaints).toEqual([])
})

test('DEC-11 DEC-12 DEC-20 root invites by a link to pass on, resends and revokes the invitation', async () => {
  const opened = await open()
  // A dialog that closes slowly is still mounted when the row disappears.
  await opened.page.emulateMedia({ reducedMotion: 'no-preference' })
  await button(opened, 'Invite a person').click()
  await dialog(opened).getByRole('button', { name: 'Invite', exact: true }).click()
  await expectPage(dialog(opened).getByText('Enter an e-mail address')).toBeVisible()
  const email = dialog(opened).getByLabel('E-mail address')
  await email.fill('kai at example.org')
  await dialog(opened).getByRole('button', { name: 'Invite', exact: true }).click()
  await expectPage(email).toHaveAccessibleDescription('This is not a valid e-mail address')
  await expectPage(email).toHaveAttribute('aria-invalid', 'true')
  await dialog(opened).getByLabel('E-mail address').fill(root.email)
  await dialog(opened).getByLabel('Gives').selectOption('A root account')
  await dialog(opened).getByRole('button', { name: 'Invite', exact: true }).click()
  await expectPage(dialog(opened).getByRole('alert')).toContainText('This person is already a member')
  await dialog(opened).getByLabel('E-mail address').fill('kai@example.org')
  await dialog(opened).getByRole('button', { name: 'Invite', exact: true }).click()
  const link = opened.page.getByLabel('Invitation link')
  await expectPage(link).toHaveValue(new RegExp(`^${server.url}/bift/`))
  const first = await link.inputValue()
  await dialog(opened).getByRole('button', { name: 'Close' }).click()

  const pending = opened.page.getByRole('table', { name: 'Pending invitations' })
  await expectPage(pending).toContainText('kai@example.org')
  await expectPage(pending.locator('time')).toHaveText(/^Expires /)
  await button(opened, 'Send again to kai@example.org').click()
  await expectPage(link).not.toHaveValue(first)
  const second = await link.inputValue()
  for (const url of [first, second]) server.watchSecret(url.split('/').at(-1) ?? '')
  const { data } = await db
    .selectFrom('token_link')
    .select('data')
    .where('email', '=', 'kai@example.org')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  expect(data).toMatchObject({ isRoot: true })
  await confirm(opened, 'Revoke the invitation of kai@example.org', 'Revoke')
  await expectPage(pending).toHaveCount(0)
  // The list disappears with its last invitation.
  await expectPage(opened.page.locator('section:focus').getByRole('grid', { name: 'Accounts' })).toBeVisible()
  expect((await root.call(rootPeopleEndpoints.invitations)).body.items).toEqual([])
  expect(opened.complaints).toEqual([])
})

test('a pending invitation shows when it expires as a relative time, with the exact time on hover', async () => {
  const { body } = await root.call(rootPeopleEndpoints.invite, { body: { email: 'soon@example.org' } })
  if (body.link !== undefined) server.watchSecret(body.link.split('/').at(-1) ?? '')
  const expiresAt = new Date(Date.now() + 2 * 86_400_000)
  await db
    .updateTable('token_link')
    .set({ expires_at: expiresAt })
    .where('email', '=', 'soon@example.org')
    .execute()
  const opened = await open()
  await opened.page.evaluate(() => localStorage.setItem('pult.locale', 'en'))
  await opened.page.reload()
  const row = opened.page.getByRole('row', { name: /soon@example\.org/ })
  await expectPage(row.getByText('Expires in 2 days')).toHaveAttribute('title', /\d\d:\d\d:\d\d/)
  await db.deleteFrom('token_link').where('email', '=', 'soon@example.org').execute()
})

test('DEC-11 root invites to a project with a role of its products', async () => {
  const { projectId } = await given.project(root, { label: 'Eine Einladung wert' })
  const opened = await open()
  await button(opened, 'Invite a person').click()
  await dialog(opened).getByLabel('E-mail address').fill('lea@example.org')
  await dialog(opened).getByLabel('Gives').selectOption('A role in a project')
  await dialog(opened).getByRole('searchbox', { name: 'Project' }).fill('einladung wert')
  await dialog(opened).getByRole('radio', { name: 'Eine Einladung wert' }).check()
  await dialog(opened).getByLabel('Role').selectOption('Project: Operator')
  await dialog(opened).getByRole('button', { name: 'Invite', exact: true }).click()
  await expectPage(opened.page.getByLabel('Invitation link')).toHaveValue(/\/bift\//)
  server.watchSecret((await opened.page.getByLabel('Invitation link').inputValue()).split('/').at(-1) ?? '')
  const { body } = await root.call(projectEndpoints.invitations, { params: { projectId } })
  expect(body.items).toMatchObject([{ email: 'lea@example.org', productRole: 'project/operator' }])
})

test('grafana/grafana#25552 root reads that more projects match than are shown, until the search finds fewer', async () => {
  const labels = Array.from({ length: 21 }, (_, index) => (index === 20 ? 'Lager zuletzt' : `Lager ${index}`))
  for (const label of labels) await given.project(root, { label })
  const opened = await open()
  await button(opened, 'Invite a person').click()
  await dialog(opened).getByLabel('Gives').selectOption('A role in a project')
  const note = dialog(opened).getByText('The first 20 are shown. Type more of the name to find others.')
  const matches = dialog(opened).getByRole('radiogroup', { name: 'Matching projects' }).getByRole('radio')
  const find = (text: string) => dialog(opened).getByRole('searchbox', { name: 'Project' }).fill(text)
  await find('lager')
  await expectPage(matches).toHaveCount(20)
  await expectPage(note).toBeVisible()
  await find('lager zuletzt')
  await expectPage(matches).toHaveCount(1)
  await expectPage(note).toHaveCount(0)
})

test('RULE-15 DEC-07 a change requires a recent sign-in in place, then continues; cancelling changes nothing', async () => {
  const rita = await anotherRoot()
  const ada = await given.person()
  const opened = await open(`/app/accounts/${ada.personId}`, rita)
  await expectPage(button(opened, 'Make root')).toBeVisible()
  await rita.forgetSignIn()
  await confirm(opened, 'Make root', 'Make root')
  await expectPage(proof(opened)).toBeVisible()
  await expectPage(question(opened)).toHaveCount(0)
  await opened.page.keyboard.press('Escape')
  await expectPage(proof(opened)).toHaveCount(0)
  await expectPage(button(opened, 'Make root')).toBeFocused()
  expect((await accountOf(ada)).isRoot).toBe(false)
  await confirm(opened, 'Make root', 'Make root')
  await expectPage(proof(opened).getByLabel('Password', { exact: true }).last()).toBeFocused()
  await opened.page.keyboard.type(rita.password)
  await opened.page.keyboard.press('Enter')
  await expectPage(notices(opened).getByText('Ada Lovelace is now root')).toBeVisible()
  await expectPage(question(opened)).toHaveCount(0)
  await expectPage(button(opened, 'Remove root rights')).toBeVisible()
  expect((await accountOf(ada)).isRoot).toBe(true)
  expect(opened.complaints).toEqual([])
})

test('DEC-18 the last root remains root, and the question shows the reason', async () => {
  const last = await anotherRoot()
  await db.updateTable('person').set({ is_root: false }).where('id', '!=', last.personId).execute()
  const opened = await open(`/app/accounts/${last.personId}`, last)
  for (const [name, yes] of [
    ['Remove root rights', 'Remove root rights'],
    ['Disable account', 'Disable account'],
    ['Delete account', 'Delete account'],
  ] as const) {
    await confirm(opened, name, yes)
    await expectPage(question(opened).getByRole('alert')).toHaveText(
      'This is the last root account. Make another person root first',
    )
    await question(opened).getByRole('button', { name: 'Cancel' }).click()
    await expectPage(question(opened)).toHaveCount(0)
  }
  await db.updateTable('person').set({ is_root: true }).where('id', '=', root.personId).execute()
  expect(await accountOf(last)).toMatchObject({ isRoot: true, isDisabled: false })
})

test('DEC-20 root disables and enables an account by the keyboard alone', async () => {
  const ada = await given.person({ firstname: 'Kim', lastname: 'Tastatur' })
  const opened = await open()
  const { keyboard } = opened.page
  const tabTo = async (target: Locator) => {
    for (
      let stops = 0;
      stops < 40 && !(await target.evaluate((it) => it === document.activeElement));
      stops++
    )
      await keyboard.press('Tab')
  }
  await search(opened).focus()
  await keyboard.type('tastatur')
  await expectPage(people(opened).getByRole('row')).toHaveCount(2)
  const row = people(opened).getByRole('row', { name: 'Kim Tastatur' })
  await tabTo(row)
  await keyboard.press('Enter')
  const disable = button(opened, 'Disable account')
  await expectPage(disable).toBeVisible()
  await tabTo(disable)
  await keyboard.press('Enter')
  // The default choice deletes nothing.
  await expectPage(question(opened).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await keyboard.press('Escape')
  await expectPage(disable).toBeFocused()
  expect((await accountOf(ada)).isDisabled).toBe(false)
  await keyboard.press('Enter')
  await expectPage(question(opened).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await expectPage(notices(opened).getByText('Account disabled')).toBeVisible()
  await expectPage(main(opened).getByText('Disabled', { exact: true })).toBeVisible()
  await expectPage(button(opened, 'Enable account')).toBeFocused()
  expect(await isSignedIn(ada)).toBe(false)
  await keyboard.press('Enter')
  await expectPage(question(opened).getByRole('button', { name: 'Enable account' })).toBeFocused()
  await keyboard.press('Enter')
  await expectPage(notices(opened).getByText('Account enabled')).toBeVisible()
  expect((await accountOf(ada)).isDisabled).toBe(false)
})

test('RULE-35 DEC-20 root ends one session of an account, then all, unlocks it and resets its second factor', async () => {
  const ada = await given.person({ otp: true })
  await ada.openSession()
  await db
    .insertInto('attempt')
    .values({ key: `password:${ada.personId}`, failures: 100 })
    .execute()
  const opened = await openAccount(ada)
  // A dialog that closes slowly is still mounted when the row disappears.
  await opened.page.emulateMedia({ reducedMotion: 'no-preference' })
  const rows = opened.page.getByRole('table', { name: 'Sessions' }).getByRole('row')
  await expectPage(rows).toHaveCount(3)
  await rows.nth(1).getByRole('button').click()
  await question(opened).getByRole('button', { name: 'End', exact: true }).click()
  await expectPage(rows).toHaveCount(2)
  // The focused button was removed, so its section keeps the focus.
  await expectPage(opened.page.locator('section:focus')).toContainText('End all sessions')
  await confirm(opened, 'End all sessions', 'End all sessions')
  await expectPage(main(opened).getByText('This account has no active sessions.')).toBeVisible()
  expect(await isSignedIn(ada)).toBe(false)

  await expectPage(main(opened).getByText('Locked after too many failed attempts')).toBeVisible()
  await confirm(opened, 'Unlock', 'Unlock')
  await expectPage(main(opened).getByText('Not locked')).toBeVisible()
  await confirm(opened, 'Reset second factor', 'Reset')
  await expectPage(notices(opened).getByText('Second factor reset')).toBeVisible()
  await expectPage(button(opened, 'Reset second factor')).toHaveCount(0)
  const { body } = await server.call(loginEndpoints.login, {
    body: { type: 'credentials', data: { username: ada.email, password: ada.password } },
  })
  server.watchSecret(body.token ?? '')
  expect(body.token).toBeTypeOf('string')
})

test('DEC-12 an address that no mail has confirmed is shown as not verified in the list and on the account, and root confirms it', async () => {
  const ada = await given.person({ lastname: 'Unbestaetigt' })
  await db.updateTable('email').set({ verified_at: null }).where('person_id', '=', ada.personId).execute()
  const opened = await open('/app/accounts?search=unbestaetigt')
  const listed = people(opened).getByRole('row', { name: 'Ada Unbestaetigt' })
  await expectPage(listed).toContainText('Address not verified')
  await people(opened).getByRole('link', { name: 'Ada Unbestaetigt' }).click()
  await expectPage(button(opened, 'Confirm address')).toBeVisible()
  await expectPage(main(opened).getByText('Address not verified', { exact: true })).toBeVisible()
  await expectPage(opened.page.getByRole('definition').first()).toContainText('Address not verified')
  await opened.expectAccessibleInLooks()
  await button(opened, 'Confirm address').click()
  await expectPage(question(opened)).toContainText(`Confirm only if you know that ${ada.email} belongs to`)
  await question(opened).getByRole('button', { name: 'Confirm address', exact: true }).click()
  await expectPage(notices(opened).getByText('Address confirmed')).toBeVisible()
  await expectPage(main(opened)).not.toContainText('Address not verified')
  await expectPage(button(opened, 'Confirm address')).toHaveCount(0)
  expect((await accountOf(ada)).isEmailVerified).toBe(true)
  expect(opened.complaints).toEqual([])
})

test('DEC-15 DEC-20 root grants access to a project, changes the role and removes it; a duplicate role is rejected', async () => {
  const ada = await given.person()
  const owner = await given.person()
  const { projectId } = await given.project(owner, { label: 'Halle Sieben' })
  const opened = await openAccount(ada)
  // A dialog that closes slowly is still mounted when the row disappears.
  await opened.page.emulateMedia({ reducedMotion: 'no-preference' })
  const grantsOf = async () =>
    (await root.call(projectEndpoints.read, { params: { projectId } })).body.grants.map(
      ({ productRole }) => productRole,
    )
  const give = async (role: string) => {
    // On a slow machine, the previous dialog is still closing.
    await expectPage(dialog(opened).getByRole('searchbox', { name: 'Project' })).toHaveCount(0)
    await button(opened, 'Give access').click()
    await dialog(opened).getByRole('searchbox', { name: 'Project' }).fill('halle sieben')
    await dialog(opened).getByRole('radio', { name: 'Halle Sieben' }).check()
    await dialog(opened).getByLabel('Role').selectOption(role)
    await dialog(opened).getByRole('button', { name: 'Save' }).click()
  }
  const row = opened.page.getByRole('row', { name: /Halle Sieben/ })
  await give('Project: Viewer')
  await expectPage(row).toContainText('Project: Viewer')
  expect(await grantsOf()).toEqual(['project/viewer'])

  await give('Project: Viewer')
  await expectPage(dialog(opened).getByRole('alert')).toContainText('This person already has this role')
  await dialog(opened).getByRole('button', { name: 'Cancel' }).click()
  expect(await grantsOf()).toEqual(['project/viewer'])

  const change = button(opened, 'Change role in Halle Sieben (Project: Viewer)')
  await change.click()
  await dialog(opened).getByLabel('Role').selectOption('Project: Operator')
  await opened.page.keyboard.press('Escape')
  await question(opened).getByRole('button', { name: 'Leave' }).click()
  await change.click()
  await expectPage(dialog(opened).getByLabel('Role')).toHaveValue('project/viewer')
  await dialog(opened).getByLabel('Role').selectOption('Project: Operator')
  await dialog(opened).getByRole('button', { name: 'Save' }).click()
  await expectPage(row).toContainText('Project: Operator')
  expect(await grantsOf()).toEqual(['project/operator'])

  await button(opened, 'Remove the access to Halle Sieben (Project: Operator)').click()
  // A notification also has the dialog role.
  const removal = opened.page.getByRole('alertdialog', { name: 'Remove this access?' })
  await expectPage(removal).toContainText('loses Project: Operator in Halle Sieben')
  await removal.getByRole('button', { name: 'Remove' }).click()
  await expectPage(row).toHaveCount(0)
  await expectPage(opened.page.locator('section:focus')).toContainText('Access to projects')
  expect(await grantsOf()).toEqual([])
})

test('DEC-15 an account shows its owned records, its memberships and all access', async () => {
  const boss = await given.person({ firstname: 'Bo', lastname: 'Boss' })
  const ada = await given.person({ firstname: 'Ada', lastname: 'Alles' })
  const opened = await openAccount(ada)
  const belongings = opened.page.locator('section').filter({ hasText: 'Ownership and memberships' })
  await expectPage(belongings).toContainText('owns nothing and belongs to no organisation')
  const { orgId } = await given.organisation(ada, { label: 'Adas Kontor' })
  await given.organisation(boss, { label: 'Bos Werft', members: [ada] })
  const { projectId } = await given.project(ada, { label: 'Adas Projekt' })
  await db
    .insertInto('task_token')
    .values({
      id: crypto.randomUUID(),
      project_id: projectId,
      label: 'Nachtlauf',
      types: [],
      token_hash: Buffer.alloc(32),
      created_by: ada.personId,
      last_used_at: null,
    })
    .execute()
  await opened.page.reload()
  await expectPage(opened.page.getByRole('heading', { level: 1 })).toHaveText('Ada Alles')
  const facts = belongings.getByRole('definition')
  await expectPage(facts).toHaveText(['Adas Kontor', 'Adas Projekt', 'Bos Werft', 'Nachtlauf (Adas Projekt)'])
  await expectPage(main(opened).getByText('no role in a project of another owner')).toBeVisible()
  await opened.expectAccessible()
  const link = (name: string) => belongings.getByRole('link', { name, exact: true })
  await expectPage(link('Bos Werft')).toHaveAttribute('href', /^\/orgs\//)
  await link('Adas Kontor').click()
  await expectPage(opened.page).toHaveURL(`/orgs/${orgId}`)
  await opened.page.goBack()
  await link('Adas Projekt').click()
  await expectPage(opened.page).toHaveURL(`/?project=${projectId}`)
})

test('an account that another root deletes meanwhile is reported as deleted', async () => {
  const ada = await given.person()
  const opened = await openAccount(ada)
  await expectPage(button(opened, 'Make root')).toBeVisible()
  const params = { personId: ada.personId }
  expect(await root.call(rootPeopleEndpoints.remove, { params })).toSucceed()
  await confirm(opened, 'Make root', 'Make root')
  await expectPage(main(opened).getByText('This account does not exist')).toBeVisible()
  await expectPage(button(opened, 'Make root')).toHaveCount(0)
})

test('DEC-20 root deletes an account after confirmation, and sees the owned records that prevent it', async () => {
  const ada = await given.person({ lastname: 'Besitzt' })
  const { projectId } = await given.project(ada, { label: 'Ihr Projekt' })
  const opened = await openAccount(ada)
  await confirm(opened, 'Delete account', 'Delete account')
  await expectPage(question(opened).getByRole('listitem')).toHaveText(['Ihr Projekt'])
  await ada.call(projectEndpoints.remove, { params: { projectId } })
  await question(opened).getByRole('button', { name: 'Delete account' }).click()
  await expectPage(opened.page).toHaveURL('/app/accounts')
  await expectPage(notices(opened).getByText('The account of Ada Besitzt was deleted')).toBeVisible()
  expect(await root.call(rootPeopleEndpoints.read, { params: { personId: ada.personId } })).toFailWith(
    'NOT_FOUND',
  )
})

test('a failed list shows the reason and loads on retry; another user’s concurrent edit is not overwritten', async () => {
  const ada = await given.person()
  const opened = await openConsole(server, { as: await anotherRoot(), path: null })
  await muteEvents(opened.page)
  let isDown = true
  await opened.page.route(/\/api\/apps\/root\/people\?|\/api\/apps\/root\/people$/, (route) =>
    isDown
      ? route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'Access denied' } })
      : route.continue(),
  )
  await opened.page.goto('/app/accounts')
  await expectPage(main(opened).getByRole('alert')).toContainText('The accounts could not be loaded')
  isDown = false
  await button(opened, 'Try again').click()
  await expectPage(people(opened).getByRole('link').first()).toBeVisible()

  await opened.page.goto(`/app/accounts/${ada.personId}`)
  await expectPage(button(opened, 'Disable account')).toBeVisible()
  await root.call(rootPeopleEndpoints.update, { params: { personId: ada.personId }, body: { isRoot: true } })
  await confirm(opened, 'Disable account', 'Disable account')
  await expectPage(question(opened).getByRole('alert')).toBeVisible()
  expect(await accountOf(ada)).toMatchObject({ isRoot: true, isDisabled: false })
})

test('no name or address breaks within a word on a tablet and a phone', async () => {
  const email = 'wieczorek@nordkai.example'
  const ada = await given.person({ email, firstname: 'Bogumila Katarzyna', lastname: 'Wieczorek' })
  await ada.openSession()
  const label = 'Containerterminal 3'
  await given.project(root, { label, grants: [{ person: ada, productRole: 'project/viewer' }] })
  const opened = await openConsole(server, {
    as: await anotherRoot(),
    path: '/app/accounts?search=wieczorek',
    viewport: { width: 820, height: 844 },
  })
  const linesOf = (text: string) =>
    main(opened)
      .getByText(text, { exact: true })
      .first()
      .evaluate((element) => {
        const words = document.createRange()
        words.selectNodeContents(element)
        return words.getClientRects().length
      })
  const widths = [820, 390]
  for (const width of widths) {
    await opened.page.setViewportSize({ width, height: 844 })
    await expectPage(main(opened).getByText(email)).toBeVisible()
    await expectPage.poll(() => linesOf(email)).toBe(1)
  }
  await opened.page.goto(`/app/accounts/${ada.personId}`)
  for (const width of widths.toReversed()) {
    await opened.page.setViewportSize({ width, height: 844 })
    await expectPage(main(opened).getByRole('rowheader', { name: label })).toBeVisible()
    await expectPage.poll(() => linesOf(label)).toBe(1)
    expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
})

test('accessible in each theme and width: list, account and each kind of dialog', async () => {
  const ada = await given.person({ otp: true, lastname: 'Mit einem Namen, der länger ist als breit' })
  await given.project(root, {
    label: 'Ein Projekt',
    grants: [{ person: ada, productRole: 'project/viewer' }],
  })
  const opened = await open()
  await expectPage(people(opened).getByRole('link').first()).toBeVisible()
  await opened.expectAccessibleInLooks()
  await button(opened, 'Invite a person').click()
  await dialog(opened).getByLabel('Gives').selectOption('A role in a project')
  await dialog(opened).getByRole('radio').first().check()
  await dialog(opened).getByRole('button', { name: 'Invite', exact: true }).click()
  await expectPage(dialog(opened).getByText('Choose a role').last()).toBeVisible()
  await opened.expectAccessibleInLooks()
  await opened.page.keyboard.press('Escape')
  await question(opened).getByRole('button', { name: 'Leave' }).click()
  await opened.page.goto(`/app/accounts/${ada.personId}`)
  await expectPage(opened.page.getByRole('row', { name: /Ein Projekt/ })).toBeVisible()
  await opened.expectAccessibleInLooks()
  await button(opened, 'Reset second factor').click()
  await expectPage(question(opened)).toBeVisible()
  await opened.expectAccessibleInLooks()
  await opened.page.keyboard.press('Escape')
  await button(opened, 'Change role in Ein Projekt (Project: Viewer)').click()
  await expectPage(dialog(opened).getByLabel('Role')).toBeVisible()
  await opened.expectAccessibleInLooks()
  expect(opened.complaints).toEqual([])
})
