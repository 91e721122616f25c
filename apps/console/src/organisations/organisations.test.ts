import { organisationEndpoints, projectEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000 })
const server = await testServer({ withConsole: true, settings: { ORGANISATIONS_PER_PERSON: '100' } })
const { given } = server

async function makeOrganisation(owner: GivenPerson, label: string): Promise<string> {
  return (await owner.call(organisationEndpoints.create, { body: { label } })).body._id
}
async function addMember(orgId: string, { personId }: GivenPerson): Promise<void> {
  await server.db.insertInto('membership').values({ organisation_id: orgId, person_id: personId }).execute()
}
const labelOf = async (person: GivenPerson, orgId: string) =>
  (await person.call(organisationEndpoints.read, { params: { orgId } })).body.label
const rename = (person: GivenPerson, orgId: string, label: string) =>
  person.call(organisationEndpoints.update, { params: { orgId }, body: { label } })

const main = ({ page }: OpenedConsole) => page.getByRole('main')
const field = ({ page }: OpenedConsole) => page.getByLabel('Label', { exact: true })
const save = ({ page }: OpenedConsole) => page.getByRole('button', { name: 'Save', exact: true })
/** During a save the button is disabled, too, and a second save is ignored. */
async function expectSaved(opened: OpenedConsole) {
  await expectPage(save(opened)).not.toHaveAttribute('aria-disabled')
  await expectPage(save(opened)).toBeDisabled()
}
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
// Notifications also have the dialog role.
const question = ({ page }: OpenedConsole) => page.getByRole('alertdialog', { name: /\?$/ })
const conflict = ({ page }: OpenedConsole) => page.getByRole('dialog', { name: 'Changed in the meantime' })
const row = (opened: OpenedConsole, text: string | RegExp) =>
  main(opened).getByRole('row').filter({ hasText: text })

/** Records the bodies of the page's later calls of a method. */
function callsOf({ page }: OpenedConsole, method: string): unknown[] {
  const calls: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === method && request.url().includes('/api/orgs')) calls.push(request.postDataJSON())
  })
  return calls
}

/** Records the page's later requests that return 404. */
function missingIn({ page }: OpenedConsole): string[] {
  const missing: string[] = []
  page.on('response', (response) => response.status() === 404 && missing.push(response.url()))
  return missing
}

/** Resolves once the server sends the events of a topic to the page. */
async function untilTopicOpens({ page }: OpenedConsole, topic: string): Promise<void> {
  const socket = await page.waitForEvent('websocket')
  await socket.waitForEvent('framereceived', ({ payload }) => String(payload).includes(`"topic":"${topic}"`))
}

async function openOrganisation(person: GivenPerson, orgId: string, label: string) {
  const opened = await openConsole(server, { as: person, path: `/orgs/${orgId}` })
  await expectPage(field(opened)).toHaveValue(label)
  return opened
}

describe('the list and creation', () => {
  test('ORG-02 the form names the fault of a rejected label at its field, which keeps the focus, until the label changes', async () => {
    const opened = await openConsole(server, { as: await given.person(), path: '/orgs/create' })
    await field(opened).fill('invoice \u202egnp.exe')
    await save(opened).click()
    await expectPage(field(opened)).toHaveAccessibleDescription(/hidden characters/)
    await expectPage(field(opened)).toBeFocused()
    await field(opened).fill('invoice')
    await expectPage(field(opened)).toHaveAccessibleDescription('')
  })

  test('ROUTE-05 ROUTE-06 ORG-01 ORG-02 the empty list leads to the form for a new organisation, which requires a label; the list links its name to it', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { as: ada, path: '/orgs' })
    await expectPage(main(opened).getByText('No organisations yet')).toBeVisible()
    await main(opened).getByRole('link', { name: 'Create organisation' }).first().click()
    await expectPage(opened.page).toHaveURL('/orgs/create')
    const created = callsOf(opened, 'POST')
    await save(opened).click()
    await field(opened).fill('   ')
    await save(opened).click()
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(opened.page.getByRole('alert')).toHaveCount(0)
    await field(opened).fill(' Messe Nürnberg ')
    await save(opened).click()
    await expectPage(opened.page).toHaveURL('/orgs')
    expect(created).toEqual([{ label: 'Messe Nürnberg' }])
    await expectPage(row(opened, 'Messe Nürnberg')).toContainText('You')
    await expectPage(opened.page.getByRole('alertdialog')).toHaveCount(0)
    await main(opened).getByRole('link', { name: 'Messe Nürnberg' }).click()
    const { body } = await ada.call(organisationEndpoints.list)
    expect(body.items).toMatchObject([{ label: 'Messe Nürnberg', owner: ada.personId }])
    await expectPage(opened.page).toHaveURL(`/orgs/${body.items[0]?._id}`)
    await expectPage(field(opened)).toHaveValue('Messe Nürnberg')
  })

  test('DEC-13 ROUTE-05 names the owner of other users’ organisations, and follows their changes', async () => {
    const ada = await given.person()
    const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper' })
    const orgId = await makeOrganisation(grace, 'Flotte')
    await addMember(orgId, ada)
    const opened = await openConsole(server, { as: ada, path: '/orgs' })
    await expectPage(row(opened, 'Flotte')).toContainText('Grace Hopper')
    await rename(grace, orgId, 'Flotte Nord')
    await expectPage(main(opened).getByRole('link', { name: 'Flotte Nord' })).toBeVisible()
    await grace.call(organisationEndpoints.removeMember, { params: { orgId, personId: ada.personId } })
    await expectPage(main(opened).getByText('No organisations yet')).toBeVisible()
  })

  test('DEC-32 a long list is searched, beyond the first page by the server', async () => {
    const ada = await given.person()
    for (let number = 1; number <= 51; number += 1)
      await given.organisation(ada, { label: `Verein ${number}.` })
    await makeOrganisation(ada, 'Ganz hinten')
    const opened = await openConsole(server, { as: ada, path: '/orgs' })
    const links = main(opened).getByRole('table').getByRole('link')
    await expectPage(links).toHaveCount(50)
    await main(opened).getByRole('searchbox').fill('hinten')
    await expectPage(links).toHaveText(['Ganz hinten'])
    await main(opened).getByRole('searchbox').fill('nowhere')
    await expectPage(main(opened).getByText('No organisation found')).toBeVisible()
  })
})

test('DEC-48 the list keeps its rows when a refetch fails', async () => {
  const ada = await given.person()
  await makeOrganisation(ada, 'Messe')
  const opened = await openConsole(server, { as: ada, path: '/orgs' })
  await expectPage(row(opened, 'Messe')).toBeVisible()
  await opened.page.route(/\/api\/orgs(?:\?|$)/, (route) =>
    route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'Access denied' } }),
  )
  const failed = opened.page.waitForResponse(
    (response) => /\/api\/orgs(?:\?|$)/.test(response.url()) && response.status() === 403,
  )
  await makeOrganisation(ada, 'Flotte')
  await (await failed).finished()
  // The page shows the failure two frames later.
  await opened.page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  )
  await expectPage(row(opened, 'Messe')).toBeVisible()
  await expectPage(main(opened).getByRole('alert')).toHaveCount(0)
  await expectPage(main(opened).getByText(/^As of .*could not be read again/)).toBeVisible()
})

test('DEC-48 an organisation stays visible with its age when a refetch fails', async () => {
  const ada = await given.person()
  const orgId = await makeOrganisation(ada, 'Messe')
  const opened = await openOrganisation(ada, orgId, 'Messe')
  await opened.page.route(new RegExp(`/api/orgs/${orgId}$`), (route) =>
    route.fulfill({ status: 429, json: { code: 'TOO_MANY_REQUESTS', message: 'Too many requests' } }),
  )
  await expectPage(main(opened).getByText(/^As of .*could not be read again/)).toBeVisible()
  await expectPage(field(opened)).toHaveValue('Messe')
  await opened.expectAccessible()
})

describe('editing', () => {
  test('ROUTE-07 ORG-01 ORG-02 SHELL-07 SHELL-08 API-24 Save is disabled without changes, saves the label with the revision, and never an empty one; a failed save by shortcut shows the server’s message and keeps the input', async () => {
    const ada = await given.person()
    const orgId = await makeOrganisation(ada, 'Messe')
    const opened = await openOrganisation(ada, orgId, 'Messe')
    await expectPage(save(opened)).toBeDisabled()
    await field(opened).fill('Messe  ')
    await expectPage(save(opened)).toBeDisabled()
    await field(opened).fill('Messe Nürnberg')
    const update = opened.page.waitForRequest((request) => request.method() === 'PUT')
    await save(opened).click()
    expect((await update).headers()['if-match']).toBe('"1"')
    await expectPage(notices(opened).getByText('Organisation saved')).toBeVisible()
    await expectPage(opened.page.getByRole('heading', { level: 1 })).toHaveText('Messe Nürnberg')
    await expectSaved(opened)
    expect(await labelOf(ada, orgId)).toBe('Messe Nürnberg')

    const updates = callsOf(opened, 'PUT')
    await field(opened).fill(' ')
    await save(opened).click()
    await opened.page.keyboard.press('ControlOrMeta+s')
    await field(opened).fill('Markt')
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(opened.page.getByRole('heading', { level: 1 })).toHaveText('Markt')
    expect(updates).toEqual([{ label: 'Markt' }])

    await expectSaved(opened)
    await opened.page.route(/\/api\/orgs\/[^/]+$/, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 503, json: { code: 'BUSY', message: 'The server has other things to do' } })
        : route.continue(),
    )
    await field(opened).fill('Museum')
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(notices(opened).getByText('The server has other things to do')).toBeVisible()
    await expectPage(field(opened)).toHaveValue('Museum')
  })

  test('DEC-29 another user’s save updates the page but not the edited field; a conflicting save asks which value to keep', async () => {
    const ada = await given.person()
    const root = await given.person({ firstname: 'Grace', lastname: 'Hopper', isRoot: true })
    const orgId = await makeOrganisation(ada, 'Messe')
    const opened = await openOrganisation(ada, orgId, 'Messe')
    const title = opened.page.getByRole('heading', { level: 1 })
    await rename(root, orgId, 'Markt')
    await expectPage(field(opened)).toHaveValue('Markt')

    await field(opened).fill('Museum')
    await rename(root, orgId, 'Mühle')
    await expectPage(title).toHaveText('Mühle')
    await expectPage(field(opened)).toHaveValue('Museum')
    await save(opened).click()
    await expectPage(conflict(opened)).toContainText(/Grace Hopper changed this on \d\d\.\d\d\.\d{4} - /)
    await expectPage(conflict(opened)).toContainText('Mühle')
    expect(await labelOf(ada, orgId)).toBe('Mühle')

    // Esc does not resolve the conflict.
    await opened.page.keyboard.press('Escape')
    await expectPage(conflict(opened)).toHaveCount(0)
    await expectPage(field(opened)).toHaveValue('Museum')
    await save(opened).click()
    await conflict(opened).getByRole('button', { name: 'Keep mine' }).click()
    await expectPage(title).toHaveText('Museum')
    await expectPage(conflict(opened)).toHaveCount(0)
    expect(await labelOf(ada, orgId)).toBe('Museum')

    await field(opened).fill('Turm')
    await rename(root, orgId, 'Tor')
    await save(opened).click()
    await conflict(opened).getByRole('button', { name: 'Take theirs' }).click()
    await expectPage(field(opened)).toHaveValue('Tor')
    await expectPage(save(opened)).toBeDisabled()
    expect(await labelOf(ada, orgId)).toBe('Tor')
  })

  test('CRUD-05 DEC-29 an open organisation is refetched every 4 seconds, even without an event', async () => {
    const ada = await given.person()
    const orgId = await makeOrganisation(ada, 'Messe')
    const opened = await openConsole(server, { as: ada, path: null })
    await opened.page.routeWebSocket(/\/api\/ws/, () => {})
    await opened.page.goto(`/orgs/${orgId}`)
    await expectPage(field(opened)).toHaveValue('Messe')
    await rename(ada, orgId, 'Markt')
    await expectPage(field(opened)).toHaveValue('Markt')
    await field(opened).fill('Typed')
    await rename(ada, orgId, 'Mühle')
    await expectPage(opened.page.getByRole('heading', { level: 1 })).toHaveText('Mühle')
    await expectPage(field(opened)).toHaveValue('Typed')
  })

  test('DEC-13 DEC-20 deleting an organisation with projects is rejected and names them; without projects it is deleted after confirmation', async () => {
    const ada = await given.person()
    await given.project(ada, { label: 'The active one' })
    const orgId = await makeOrganisation(ada, 'Messe')
    const project = await ada.call(projectEndpoints.create, { body: { label: 'Halle 4', org: orgId } })
    const opened = await openOrganisation(ada, orgId, 'Messe')
    const ask = () => main(opened).getByRole('button', { name: 'Delete', exact: true }).click()
    const answer = (name: string) => question(opened).getByRole('button', { name }).click()
    await ask()
    await expectPage(question(opened)).toHaveAccessibleName('Really delete?')
    await answer('Delete')
    await expectPage(question(opened).getByRole('listitem')).toHaveText(['Halle 4'])
    await answer('Cancel')
    await expectPage(question(opened)).toHaveCount(0)
    await ada.call(projectEndpoints.remove, { params: { projectId: project.body._id } })
    // No question about unsaved input, because it belongs to the deleted organisation.
    await field(opened).fill('Markt')
    await ask()
    await expectPage(question(opened)).toBeVisible()
    await expectPage(question(opened).getByRole('alert')).toHaveCount(0)
    const missing = missingIn(opened)
    await answer('Delete')
    await expectPage(opened.page).toHaveURL('/orgs')
    await expectPage(opened.page.getByText('Leave without saving?')).toHaveCount(0)
    await expectPage(main(opened).getByText('No organisations yet')).toBeVisible()
    // The deletion's event reaches the console as well.
    await ada.call(organisationEndpoints.create, { body: { label: 'Another one' } })
    await expectPage(main(opened).getByText('Another one')).toBeVisible()
    expect(missing).toEqual([])
    await opened.page.goBack()
    await expectPage(main(opened).getByText('Organisation not found')).toBeVisible()
  })

  test('an organisation that does not exist is requested once', async () => {
    const opened = await openConsole(server, { as: await given.person(), path: null })
    const missing = missingIn(opened)
    const isTopicOpen = untilTopicOpens(opened, 'organisations')
    const orgId = '0193a3f0-0000-7000-8000-000000000009'
    await opened.page.goto(`/orgs/${orgId}`)
    await expectPage(main(opened).getByText('Organisation not found')).toBeVisible()
    // The console refetches older data once its topics are open, but no record that does not exist.
    await isTopicOpen
    await opened.page.waitForLoadState('networkidle')
    expect(missing.map((url) => new URL(url).pathname)).toEqual([`/api/orgs/${orgId}`])
  })
})

describe('the members of an organisation', () => {
  test('DEC-12 an address that no mail has confirmed is marked', async () => {
    const ada = await given.person()
    const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper' })
    const orgId = await makeOrganisation(ada, 'Messe')
    await addMember(orgId, grace)
    await server.db
      .updateTable('email')
      .set({ verified_at: null })
      .where('person_id', '=', grace.personId)
      .execute()
    const opened = await openConsole(server, { as: ada, path: `/orgs/${orgId}` })
    await expectPage(row(opened, 'Grace Hopper')).toContainText(`${grace.email} · not verified`)
    await expectPage(row(opened, 'Ada Lovelace')).not.toContainText('not verified')
  })

  test('DEC-13 members can read it without Save, Delete and invitations, and can leave', async () => {
    const ada = await given.person()
    const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper' })
    const orgId = await makeOrganisation(ada, 'Messe')
    await addMember(orgId, grace)
    const opened = await openConsole(server, { as: grace, path: `/orgs/${orgId}` })
    await expectPage(row(opened, 'Ada Lovelace')).toContainText('Owner')
    const details = main(opened).getByRole('region', { name: 'Details' })
    await expectPage(details.getByText('Only the owner, Ada Lovelace, can change this')).toBeVisible()
    const members = main(opened).locator('section', {
      has: opened.page.getByRole('heading', { name: 'Members' }),
    })
    await expectPage(members.getByText('Only the owner, Ada Lovelace, can change this')).toBeVisible()
    await expectPage(details.getByRole('definition')).toHaveText(['Messe', 'Ada Lovelace'])
    await expectPage(field(opened)).toHaveCount(0)
    await expectPage(save(opened)).toHaveCount(0)
    await expectPage(main(opened).getByRole('button')).toHaveText(['Leave organisation'])
    await expectPage(main(opened).getByText('Pending invitations')).toHaveCount(0)
    await main(opened).getByRole('button', { name: 'Leave organisation' }).click()
    await question(opened).getByRole('button', { name: 'Leave organisation' }).click()
    await expectPage(opened.page).toHaveURL('/orgs')
    await expectPage(main(opened).getByText('No organisations yet')).toBeVisible()
  })

  test('DEC-13 DEC-14 DEC-20 the owner removes a member after confirmation, and transfers the ownership and becomes a member; root can transfer it as well', async () => {
    const ada = await given.person()
    const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper' })
    const root = await given.person({ firstname: 'Ruth', isRoot: true })
    const orgId = await makeOrganisation(ada, 'Messe')
    const kai = await given.person({ firstname: 'Kai', lastname: 'Mole' })
    for (const member of [grace, kai]) await addMember(orgId, member)
    const opened = await openOrganisation(ada, orgId, 'Messe')
    await expectPage(row(opened, 'Kai Mole')).toContainText('Member')
    await expectPage(row(opened, 'Ada Lovelace').getByRole('button')).toHaveCount(0)
    await main(opened).getByRole('button', { name: 'Remove Kai Mole' }).click()
    await question(opened).getByRole('button', { name: 'Remove' }).click()
    await expectPage(row(opened, 'Kai Mole')).toHaveCount(0)
    const { body } = await ada.call(organisationEndpoints.members, { params: { orgId } })
    expect(body.items.map(({ _id }) => _id)).toEqual([ada.personId, grace.personId])

    const makeOwner = (name: string) => main(opened).getByRole('button', { name: `Make ${name} the owner` })
    await expectPage(makeOwner('Ada Lovelace')).toHaveCount(0)
    await makeOwner('Grace Hopper').click()
    await expectPage(question(opened)).toContainText('You remain a member')
    const update = opened.page.waitForRequest((request) => request.method() === 'PUT')
    await question(opened).getByRole('button', { name: 'Make owner' }).click()
    expect((await update).headers()['if-match']).toBe('"1"')
    expect((await update).postDataJSON()).toEqual({ owner: grace.personId })
    await expectPage(row(opened, 'Grace Hopper')).toContainText('Owner')
    await expectPage(field(opened)).toHaveCount(0)
    await expectPage(makeOwner('Ada Lovelace')).toHaveCount(0)

    const roots = await openOrganisation(root, orgId, 'Messe')
    await main(roots).getByRole('button', { name: 'Make Ada Lovelace the owner' }).click()
    await question(roots).getByRole('button', { name: 'Make owner' }).click()
    await expectPage(row(roots, 'Ada Lovelace')).toContainText('Owner')
    await expectPage(field(opened)).toBeVisible()
  })

  test('DEC-12 API-24 an invalid or rejected address of an invitation keeps the input and shows the reason; without a mail server the page states that root has the link', async () => {
    const ada = await given.person()
    const opened = await openOrganisation(ada, await makeOrganisation(ada, 'Messe'), 'Messe')
    const email = opened.page.getByPlaceholder('E-mail address')
    await email.fill('kai at example.org')
    await opened.page.getByRole('button', { name: 'Invite', exact: true }).click()
    await expectPage(email).toHaveAccessibleDescription('This is not a valid e-mail address')
    await expectPage(email).toHaveAttribute('aria-invalid', 'true')
    await expectPage(email).toBeFocused()
    await email.press('x')
    await expectPage(email).not.toHaveAttribute('aria-invalid')

    await email.fill(ada.email)
    await email.press('Enter')
    await expectPage(notices(opened).getByText('This person is already a member')).toBeVisible()
    await expectPage(email).toHaveValue(ada.email)
    await expectPage(email).toHaveAccessibleDescription('This person is already a member')
    await expectPage(email).toBeFocused()

    await email.fill('kai@example.org')
    await email.press('Enter')
    await expectPage(notices(opened).getByText('Root has the link')).toBeVisible()
    await expectPage(opened.page.getByLabel('Invitation link')).toHaveCount(0)
  })

  test('DEC-11 DEC-12 root invites by e-mail, receives a link to pass on, resends and revokes', async () => {
    const ada = await given.person({ isRoot: true })
    const orgId = await makeOrganisation(ada, 'Messe')
    const opened = await openOrganisation(ada, orgId, 'Messe')
    // A dialog that closes slowly is still mounted when the row disappears.
    await opened.page.emulateMedia({ reducedMotion: 'no-preference' })
    const link = opened.page.getByLabel('Invitation link')
    await opened.page.getByPlaceholder('E-mail address').fill('kai@example.org')
    await opened.page.getByRole('button', { name: 'Invite', exact: true }).click()
    await expectPage(link).toHaveValue(new RegExp(`^${server.url}/bift/`))
    await expectPage(main(opened).getByRole('button', { name: 'Copy' })).toBeVisible()
    await expectPage(opened.page.getByPlaceholder('E-mail address')).toHaveValue('')
    const first = await link.inputValue()

    await main(opened).getByRole('button', { name: 'Send the invitation of kai@example.org again' }).click()
    await expectPage(link).not.toHaveValue(first)
    const second = await link.inputValue()
    for (const url of [first, second]) server.watchSecret(url.split('/').at(-1) ?? '')
    await expectPage(main(opened).getByRole('listitem')).toHaveCount(1)

    await main(opened).getByRole('button', { name: 'Revoke the invitation of kai@example.org' }).click()
    await question(opened).getByRole('button', { name: 'Revoke' }).click()
    await expectPage(main(opened).getByText('No pending invitations.')).toBeVisible()
    await expectPage(link).toHaveCount(0)
    await expectPage(opened.page.locator('section:focus')).toContainText('Pending invitations')
    const { body } = await ada.call(organisationEndpoints.invitations, { params: { orgId } })
    expect(body.items).toEqual([])
  })
})

test('DEC-12 an invitation shows when it expires as a relative time, with the exact time on hover', async () => {
  const ada = await given.person()
  const orgId = await makeOrganisation(ada, 'Messe')
  await ada.call(organisationEndpoints.invite, { params: { orgId }, body: { email: 'kai@example.org' } })
  await sql`update token_link set expires_at = now() + interval '2 days' where email = 'kai@example.org'`.execute(
    server.db,
  )
  const opened = await openOrganisation(ada, orgId, 'Messe')
  await opened.page.evaluate(() => localStorage.setItem('pult.locale', 'en'))
  await opened.page.reload()
  await expectPage(main(opened).getByText('Expires in 2 days')).toHaveAttribute('title', /\d\d:\d\d:\d\d/)
})

test('ROUTE-05 ROUTE-06 ROUTE-07 accessible in each theme and width', async () => {
  const ada = await given.person()
  const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper' })
  const orgId = await makeOrganisation(ada, 'Eine Organisation mit einem Namen, der länger ist als breit')
  await addMember(orgId, grace)
  const opened = await openConsole(server, { as: ada, path: '/orgs' })
  await expectPage(row(opened, 'Eine Organisation')).toBeVisible()
  await opened.expectAccessibleInLooks()
  await opened.page.goto('/orgs/create')
  await expectPage(field(opened)).toBeVisible()
  await opened.expectAccessibleInLooks()
  await opened.page.goto(`/orgs/${orgId}`)
  await opened.page.getByPlaceholder('E-mail address').fill('kai@example.org')
  await opened.page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expectPage(notices(opened).getByText('Root has the link')).toBeVisible()
  await opened.expectAccessibleInLooks()
  await field(opened).fill('Mine')
  await rename(ada, orgId, 'Theirs')
  await save(opened).click()
  await expectPage(conflict(opened)).toBeVisible()
  await opened.expectAccessibleInLooks()
  expect(opened.complaints).toEqual([])
})
