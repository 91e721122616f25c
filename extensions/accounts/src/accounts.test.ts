import { loginEndpoints, meEndpoints, projectEndpoints, rootPeopleEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given, db } = server
/** Looks after what the console has done. Those who open it are others: it soon replaces the token that it is given. */
const root = await given.person({ firstname: 'Ruth', lastname: 'Wurzel', isRoot: true })
const anotherRoot = () => given.person({ firstname: 'Rita', isRoot: true })

const main = ({ page }: OpenedConsole) => page.getByRole('main')
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
const question = ({ page }: OpenedConsole) => page.getByRole('alertdialog')
const dialog = ({ page }: OpenedConsole) => page.getByRole('dialog')
const proof = ({ page }: OpenedConsole) => page.getByRole('dialog', { name: 'Please confirm that it is you' })
const button = (opened: OpenedConsole, name: string) =>
  main(opened).getByRole('button', { name, exact: true })
const search = (opened: OpenedConsole) => opened.page.getByRole('searchbox', { name: 'Search accounts' })
const people = (opened: OpenedConsole) => opened.page.getByRole('table', { name: 'Accounts' })

const open = async (path = '/app/accounts', as?: GivenPerson) =>
  openConsole(server, { as: as ?? (await anotherRoot()), path })
const openAccount = (person: GivenPerson) => open(`/app/accounts/${person.personId}`)
const accountOf = async ({ personId }: GivenPerson) =>
  (await root.call(rootPeopleEndpoints.read, { params: { personId } })).body
const isSignedIn = async ({ token }: GivenPerson) =>
  (await server.call(meEndpoints.read, {}, token)).status === 200

/** Presses a button and answers its question with yes. */
async function confirm(opened: OpenedConsole, name: string, yes: string) {
  await button(opened, name).click()
  await question(opened).getByRole('button', { name: yes, exact: true }).click()
}

test('APP-10 APP-11 ROUTE-10 Accounts stands on the root page, and its pages have addresses of their own', async () => {
  const ada = await given.person({ lastname: 'Byron' })
  const opened = await open('/root')
  await opened.page.getByRole('main').getByRole('link', { name: 'Accounts' }).click()
  await expectPage(opened.page).toHaveURL('/app/accounts')
  await search(opened).fill(`byron email:${ada.email}`)
  await expectPage(people(opened).getByRole('row')).toHaveCount(2)
  await expectPage(opened.page).toHaveURL(
    `/app/accounts?search=byron+email%3A${encodeURIComponent(ada.email)}`,
  )
  await people(opened).getByRole('link', { name: 'Ada Byron' }).click()
  await expectPage(opened.page).toHaveURL(`/app/accounts/${ada.personId}`)
  await expectPage(opened.page.getByRole('heading', { level: 2, name: 'Ada Byron' })).toBeVisible()
  await expectPage(opened.page).toHaveTitle('Ada Byron · Accounts · Pult')
  await opened.page.goBack()
  await expectPage(search(opened)).toHaveValue(`byron email:${ada.email}`)
  await expectPage(people(opened).getByRole('row')).toHaveCount(2)
  await opened.page.goto('/app/accounts/018f0000-0000-7000-8000-000000000000')
  await expectPage(main(opened).getByText('There is no such account')).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('ROLE-02 ROUTE-10 ROUTE-11 who is not root is sent home with a notice, sees no way there, and the server refuses the calls', async () => {
  const ada = await given.person()
  for (const path of ['/app/accounts', `/app/accounts/${root.personId}`]) {
    const opened = await open(path, ada)
    await expectPage(notices(opened).getByText('You cannot open this app')).toBeVisible()
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

test('many accounts come a page at a time, and the way back leads to the page before', async () => {
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
  await expectPage(people(opened).getByRole('link')).toHaveCount(50)
  await expectPage(main(opened).getByText('120 accounts · Page 1')).toBeVisible()
  const onFirst = await first.textContent()
  await button(opened, 'Next page').click()
  await button(opened, 'Next page').click()
  await expectPage(people(opened).getByRole('link')).toHaveCount(20)
  await expectPage(button(opened, 'Next page')).toBeDisabled()
  await opened.page.goBack()
  await expectPage(main(opened).getByText('120 accounts · Page 2')).toBeVisible()
  await button(opened, 'Previous page').click()
  await expectPage(first).toHaveText(onFirst ?? '')
  // Another search begins at its first page.
  await button(opened, 'Next page').click()
  await search(opened).fill('name:nobody')
  await expectPage(main(opened).getByText('No account found')).toBeVisible()
  await db.deleteFrom('person').where('firstname', '=', 'Paged').execute()
})

test('DEC-11 DEC-12 DEC-20 invites by a link to hand over, sends again and revokes', async () => {
  const opened = await open()
  // A question that leaves slowly is still there when the row goes.
  await opened.page.emulateMedia({ reducedMotion: 'no-preference' })
  await button(opened, 'Invite a person').click()
  await dialog(opened).getByRole('button', { name: 'Invite', exact: true }).click()
  await expectPage(dialog(opened).getByText('Please enter an e-mail address')).toBeVisible()
  const email = dialog(opened).getByLabel('E-mail address')
  await email.fill('kai at example.org')
  await dialog(opened).getByRole('button', { name: 'Invite', exact: true }).click()
  await expectPage(email).toHaveAccessibleDescription('This is not a valid e-mail address')
  await expectPage(email).toHaveAttribute('aria-invalid', 'true')
  await dialog(opened).getByLabel('E-mail address').fill(root.email)
  await dialog(opened).getByLabel('Gives').selectOption('A root account')
  await dialog(opened).getByRole('button', { name: 'Invite', exact: true }).click()
  await expectPage(dialog(opened).getByRole('alert')).toContainText('This person belongs to it already')
  await dialog(opened).getByLabel('E-mail address').fill('kai@example.org')
  await dialog(opened).getByRole('button', { name: 'Invite', exact: true }).click()
  const link = opened.page.getByLabel('Invitation link')
  await expectPage(link).toHaveValue(new RegExp(`^${server.url}/bift/`))
  const first = await link.inputValue()
  await dialog(opened).getByRole('button', { name: 'Close' }).click()

  const pending = opened.page.getByRole('table', { name: 'Pending invitations' })
  await expectPage(pending).toContainText('kai@example.org')
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
  // The last one takes the list of them with it.
  await expectPage(
    opened.page.locator('section:focus').getByRole('table', { name: 'Accounts' }),
  ).toBeVisible()
  expect((await root.call(rootPeopleEndpoints.invitations)).body.items).toEqual([])
  expect(opened.complaints).toEqual([])
})

test('DEC-11 invites to a project with a role of its products', async () => {
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

test('RULE-15 DEC-07 a change asks for a recent sign-in in place, and goes on with it; turning back changes nothing', async () => {
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
  await expectPage(notices(opened).getByText('Ada Lovelace is root now')).toBeVisible()
  await expectPage(question(opened)).toHaveCount(0)
  await expectPage(button(opened, 'Take root away')).toBeVisible()
  expect((await accountOf(ada)).isRoot).toBe(true)
  expect(opened.complaints).toEqual([])
})

test('DEC-18 the last root stays root, and the question says why', async () => {
  const last = await anotherRoot()
  await db.updateTable('person').set({ is_root: false }).where('id', '!=', last.personId).execute()
  const opened = await open(`/app/accounts/${last.personId}`, last)
  for (const [name, yes] of [
    ['Take root away', 'Take root away'],
    ['Disable account', 'Disable account'],
    ['Delete account', 'Delete account'],
  ] as const) {
    await confirm(opened, name, yes)
    await expectPage(question(opened).getByRole('alert')).toHaveText(
      'This is the last root account. Please make somebody else root first',
    )
    await question(opened).getByRole('button', { name: 'Cancel' }).click()
    await expectPage(question(opened)).toHaveCount(0)
  }
  await db.updateTable('person').set({ is_root: true }).where('id', '=', root.personId).execute()
  expect(await accountOf(last)).toMatchObject({ isRoot: true, isDisabled: false })
})

test('DEC-20 disables and enables an account by the keyboard alone', async () => {
  const ada = await given.person({ firstname: 'Kim', lastname: 'Tastatur' })
  const opened = await open()
  const { keyboard } = opened.page
  await search(opened).focus()
  await keyboard.type('tastatur')
  await expectPage(people(opened).getByRole('row')).toHaveCount(2)
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await expectPage(people(opened).getByRole('link', { name: 'Kim Tastatur' })).toBeFocused()
  await keyboard.press('Enter')
  const disable = button(opened, 'Disable account')
  await expectPage(disable).toBeVisible()
  for (let stops = 0; stops < 40 && !(await disable.evaluate((it) => it === document.activeElement)); stops++)
    await keyboard.press('Tab')
  await keyboard.press('Enter')
  // It begins where nothing is lost.
  await expectPage(question(opened).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await keyboard.press('Escape')
  await expectPage(disable).toBeFocused()
  expect((await accountOf(ada)).isDisabled).toBe(false)
  await keyboard.press('Enter')
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

test('RULE-35 DEC-20 ends one session and then all of somebody’s', async () => {
  const ada = await given.person()
  await ada.login()
  const opened = await openAccount(ada)
  // A question that leaves slowly is still there when the row goes.
  await opened.page.emulateMedia({ reducedMotion: 'no-preference' })
  const rows = opened.page.getByRole('table', { name: 'Sessions' }).getByRole('row')
  await expectPage(rows).toHaveCount(3)
  await rows.nth(1).getByRole('button').click()
  await question(opened).getByRole('button', { name: 'End', exact: true }).click()
  await expectPage(rows).toHaveCount(2)
  // The button that had the focus is gone; it stays where it was.
  await expectPage(opened.page.locator('section:focus')).toContainText('End all sessions')
  await confirm(opened, 'End all sessions', 'End all sessions')
  await expectPage(main(opened).getByText('Nobody is signed in with this account.')).toBeVisible()
  expect(await isSignedIn(ada)).toBe(false)
})

test('DEC-20 resets a second factor and ends a lock', async () => {
  const otto = await given.person({ firstname: 'Otto', otp: true })
  await db
    .insertInto('attempt')
    .values({ key: `password:${otto.personId}`, failures: 100 })
    .execute()
  const opened = await openAccount(otto)
  await expectPage(main(opened).getByText('Locked after too many wrong tries')).toBeVisible()
  await confirm(opened, 'Unlock', 'Unlock')
  await expectPage(main(opened).getByText('Not locked')).toBeVisible()
  await confirm(opened, 'Reset second factor', 'Reset')
  await expectPage(notices(opened).getByText('Second factor reset')).toBeVisible()
  await expectPage(button(opened, 'Reset second factor')).toHaveCount(0)
  const { body } = await server.call(loginEndpoints.login, {
    body: { type: 'credentials', data: { username: otto.email, password: otto.password } },
  })
  server.watchSecret(body.token ?? '')
  expect(body.token).toBeTypeOf('string')
})

test('DEC-15 DEC-20 gives access to a project, changes the role and removes it; a role held already is refused', async () => {
  const ada = await given.person()
  const owner = await given.person()
  const { projectId } = await given.project(owner, { label: 'Halle Sieben' })
  const opened = await openAccount(ada)
  // A question that leaves slowly is still there when the row goes.
  await opened.page.emulateMedia({ reducedMotion: 'no-preference' })
  const grantsOf = async () =>
    (await root.call(projectEndpoints.read, { params: { projectId } })).body.grants.map(
      ({ productRole }) => productRole,
    )
  const give = async (role: string) => {
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
  await expectPage(dialog(opened).getByRole('alert')).toContainText('This person holds this role already')
  await dialog(opened).getByRole('button', { name: 'Cancel' }).click()
  expect(await grantsOf()).toEqual(['project/viewer'])

  await button(opened, 'Change role in Halle Sieben (Project: Viewer)').click()
  await dialog(opened).getByLabel('Role').selectOption('Project: Operator')
  await dialog(opened).getByRole('button', { name: 'Save' }).click()
  await expectPage(row).toContainText('Project: Operator')
  expect(await grantsOf()).toEqual(['project/operator'])

  await button(opened, 'Remove the access to Halle Sieben (Project: Operator)').click()
  // A toast is such a dialog, too.
  const removal = opened.page.getByRole('alertdialog', { name: 'Remove this access?' })
  await expectPage(removal).toContainText('loses Project: Operator in Halle Sieben')
  await removal.getByRole('button', { name: 'Remove' }).click()
  await expectPage(row).toHaveCount(0)
  await expectPage(opened.page.locator('section:focus')).toContainText('Access to projects')
  expect(await grantsOf()).toEqual([])
})

test('DEC-20 deletes an account after a question; what it owns stands in the way and is named', async () => {
  const ada = await given.person({ lastname: 'Besitzt' })
  const { projectId } = await given.project(ada, { label: 'Ihr Projekt' })
  const opened = await openAccount(ada)
  await confirm(opened, 'Delete account', 'Delete account')
  await expectPage(question(opened).getByRole('listitem')).toHaveText(['Ihr Projekt'])
  await ada.call(projectEndpoints.remove, { params: { projectId } })
  await question(opened).getByRole('button', { name: 'Delete account' }).click()
  await expectPage(opened.page).toHaveURL('/app/accounts')
  await expectPage(notices(opened).getByText('The account of Ada Besitzt is deleted')).toBeVisible()
  expect(await root.call(rootPeopleEndpoints.read, { params: { personId: ada.personId } })).toFailWith(
    'NOT_FOUND',
  )
})

test('a list that does not come says why and comes when it is tried again; an edit of somebody else’s meanwhile is not overwritten', async () => {
  const ada = await given.person()
  const opened = await openConsole(server, { as: await anotherRoot(), path: null })
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

test.each([820, 390])('no name or address is broken within a word, %i px', async (width) => {
  const email = `wieczorek${width}@nordkai.example`
  const ada = await given.person({ email, firstname: 'Bogumila Katarzyna', lastname: 'Wieczorek' })
  await ada.login()
  const label = 'Containerterminal 3'
  await given.project(root, { label, grants: [{ person: ada, productRole: 'project/viewer' }] })
  const opened = await openConsole(server, {
    as: await anotherRoot(),
    path: `/app/accounts?search=wieczorek${width}`,
    viewport: { width, height: 844 },
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
  await expectPage(main(opened).getByText(email)).toBeVisible()
  expect(await linesOf(email)).toBe(1)
  await opened.page.goto(`/app/accounts/${ada.personId}`)
  await expectPage(main(opened).getByRole('rowheader', { name: label })).toBeVisible()
  expect(await linesOf(label)).toBeLessThanOrEqual(1)
  expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
})

for (const theme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`accessible, ${theme}, ${width} px: list, account and each kind of dialog`, async () => {
      const ada = await given.person({ otp: true, lastname: 'Mit einem Namen, der länger ist als breit' })
      await given.project(root, {
        label: 'Ein Projekt',
        grants: [{ person: ada, productRole: 'project/viewer' }],
      })
      const viewport = { width, height: 844 }
      const opened = await openConsole(server, {
        as: await anotherRoot(),
        path: '/app/accounts',
        theme,
        viewport,
      })
      const check = async () => {
        await opened.expectAccessible()
        expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      }
      await expectPage(people(opened).getByRole('link').first()).toBeVisible()
      await check()
      await button(opened, 'Invite a person').click()
      await dialog(opened).getByLabel('Gives').selectOption('A role in a project')
      await dialog(opened).getByRole('radio').first().check()
      await dialog(opened).getByRole('button', { name: 'Invite', exact: true }).click()
      await expectPage(dialog(opened).getByText('Please choose a role').last()).toBeVisible()
      await check()
      await opened.page.keyboard.press('Escape')
      await opened.page.goto(`/app/accounts/${ada.personId}`)
      await expectPage(opened.page.getByRole('row', { name: /Ein Projekt/ })).toBeVisible()
      await check()
      await button(opened, 'Reset second factor').click()
      await expectPage(question(opened)).toBeVisible()
      await check()
      await opened.page.keyboard.press('Escape')
      await button(opened, 'Change role in Ein Projekt (Project: Viewer)').click()
      await expectPage(dialog(opened).getByLabel('Role')).toBeVisible()
      await check()
      expect(opened.complaints).toEqual([])
    })
  }
}
