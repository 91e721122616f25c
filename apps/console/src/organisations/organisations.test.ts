import { organisationEndpoints, projectEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000 })
const server = await testServer({ withConsole: true })
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
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
const question = ({ page }: OpenedConsole) => page.getByRole('alertdialog')
const conflict = ({ page }: OpenedConsole) => page.getByRole('dialog', { name: 'Changed meanwhile' })
const row = (opened: OpenedConsole, text: string | RegExp) =>
  main(opened).getByRole('row').filter({ hasText: text })

/** The bodies of the calls of a method that the page makes from now on. */
function callsOf({ page }: OpenedConsole, method: string): unknown[] {
  const calls: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === method && request.url().includes('/api/orgs')) calls.push(request.postDataJSON())
  })
  return calls
}

async function openOrganisation(person: GivenPerson, orgId: string, label: string) {
  const opened = await openConsole(server, { as: person, path: `/orgs/${orgId}` })
  await expectPage(field(opened)).toHaveValue(label)
  return opened
}

describe('the list and creating', () => {
  test('ROUTE-05 ROUTE-06 ORG-01 from the empty list to the new organisation, whose name links to it', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { as: ada, path: '/orgs' })
    await expectPage(main(opened).getByText('No organizations yet')).toBeVisible()
    await main(opened).getByRole('link', { name: 'Create organization' }).first().click()
    await expectPage(opened.page).toHaveURL('/orgs/create')
    await field(opened).fill(' Messe Nürnberg ')
    await save(opened).click()
    await expectPage(opened.page).toHaveURL('/orgs')
    await expectPage(row(opened, 'Messe Nürnberg')).toContainText('You')
    await expectPage(opened.page.getByRole('alertdialog')).toHaveCount(0)
    await main(opened).getByRole('link', { name: 'Messe Nürnberg' }).click()
    const { body } = await ada.call(organisationEndpoints.list)
    expect(body.items).toMatchObject([{ label: 'Messe Nürnberg', owner: ada.personId }])
    await expectPage(opened.page).toHaveURL(`/orgs/${body.items[0]?._id}`)
    await expectPage(field(opened)).toHaveValue('Messe Nürnberg')
  })

  test('ORG-02 an empty label is silently not saved', async () => {
    const opened = await openConsole(server, { as: await given.person(), path: '/orgs/create' })
    const created = callsOf(opened, 'POST')
    await save(opened).click()
    await field(opened).fill('   ')
    await save(opened).click()
    await opened.page.keyboard.press('ControlOrMeta+s')
    await opened.page.waitForTimeout(300)
    expect(created).toEqual([])
    await expectPage(opened.page).toHaveURL('/orgs/create')
    await expectPage(opened.page.getByRole('alert')).toHaveCount(0)
  })

  test('DEC-13 ROUTE-05 names the owner of those that belong to others, and follows what they change', async () => {
    const ada = await given.person()
    const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper' })
    const orgId = await makeOrganisation(grace, 'Flotte')
    await addMember(orgId, ada)
    const opened = await openConsole(server, { as: ada, path: '/orgs' })
    await expectPage(row(opened, 'Flotte')).toContainText('Grace Hopper')
    await rename(grace, orgId, 'Flotte Nord')
    await expectPage(main(opened).getByRole('link', { name: 'Flotte Nord' })).toBeVisible()
    await grace.call(organisationEndpoints.removeMember, { params: { orgId, personId: ada.personId } })
    await expectPage(main(opened).getByText('No organizations yet')).toBeVisible()
  })

  test('DEC-32 many can be searched, beyond the first page by the server', async () => {
    const ada = await given.person()
    for (let number = 1; number <= 51; number += 1) await makeOrganisation(ada, `Verein ${number}.`)
    await makeOrganisation(ada, 'Ganz hinten')
    const opened = await openConsole(server, { as: ada, path: '/orgs' })
    const links = main(opened).getByRole('table').getByRole('link')
    await expectPage(links).toHaveCount(50)
    await main(opened).getByRole('searchbox').fill('hinten')
    await expectPage(links).toHaveText(['Ganz hinten'])
    await main(opened).getByRole('searchbox').fill('nowhere')
    await expectPage(main(opened).getByText('No organization found')).toBeVisible()
  })
})

describe('editing', () => {
  test('ROUTE-07 ORG-01 Save is disabled without changes, and saves the label with the revision', async () => {
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
    await expectPage(notices(opened).getByText('Organization saved')).toBeVisible()
    await expectPage(opened.page.getByRole('heading', { level: 1 })).toHaveText('Messe Nürnberg')
    await expectPage(save(opened)).toBeDisabled()
    expect(await labelOf(ada, orgId)).toBe('Messe Nürnberg')
  })

  test('ORG-02 SHELL-07 an emptied label is silently not saved, Ctrl+S saves another one', async () => {
    const ada = await given.person()
    const orgId = await makeOrganisation(ada, 'Messe')
    const opened = await openOrganisation(ada, orgId, 'Messe')
    const updates = callsOf(opened, 'PUT')
    await field(opened).fill(' ')
    await save(opened).click()
    await opened.page.keyboard.press('ControlOrMeta+s')
    await opened.page.waitForTimeout(300)
    expect(updates).toEqual([])
    await field(opened).fill('Markt')
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(opened.page.getByRole('heading', { level: 1 })).toHaveText('Markt')
    expect(updates).toEqual([{ label: 'Markt' }])
  })

  test('SHELL-08 API-24 a failing save by shortcut shows the server’s message in a toast, and keeps the input', async () => {
    const ada = await given.person()
    const opened = await openOrganisation(ada, await makeOrganisation(ada, 'Messe'), 'Messe')
    await opened.page.route(/\/api\/orgs\/[^/]+$/, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 503, json: { code: 'BUSY', message: 'The server has other things to do' } })
        : route.continue(),
    )
    await field(opened).fill('Markt')
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(notices(opened).getByText('The server has other things to do')).toBeVisible()
    await expectPage(field(opened)).toHaveValue('Markt')
  })

  test('DEC-29 what others save reaches the page but not the field one types in; a save then asks whose shall stay', async () => {
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
    await expectPage(conflict(opened)).toContainText(/Grace Hopper has changed this on \d\d\.\d\d\.\d{4} - /)
    await expectPage(conflict(opened)).toContainText('Mühle')
    expect(await labelOf(ada, orgId)).toBe('Mühle')

    // Esc decides nothing.
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

  test('CRUD-05 DEC-29 an open organization is read again every 4 seconds, even when nothing tells of a change', async () => {
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

  test('DEC-13 DEC-20 one with projects is not deleted and names them; without it asks, then is gone', async () => {
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
    // What was typed is not asked about: it goes with the organisation.
    await field(opened).fill('Markt')
    await ask()
    await expectPage(question(opened)).toBeVisible()
    await expectPage(question(opened).getByRole('alert')).toHaveCount(0)
    await answer('Delete')
    await expectPage(opened.page).toHaveURL('/orgs')
    await expectPage(opened.page.getByText('Leave without saving?')).toHaveCount(0)
    await expectPage(main(opened).getByText('No organizations yet')).toBeVisible()
    await opened.page.goBack()
    await expectPage(main(opened).getByText('There is no such organization')).toBeVisible()
  })
})

describe('the people of an organisation', () => {
  test('DEC-13 members read it: no Save, no Delete, no invitations; they may leave', async () => {
    const ada = await given.person()
    const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper' })
    const orgId = await makeOrganisation(ada, 'Messe')
    await addMember(orgId, grace)
    const opened = await openOrganisation(grace, orgId, 'Messe')
    await expectPage(row(opened, 'Ada Lovelace')).toContainText('Owner')
    await expectPage(field(opened)).toHaveAttribute('readonly')
    await expectPage(save(opened)).toHaveCount(0)
    await expectPage(main(opened).getByRole('button')).toHaveText(['Leave organization'])
    await expectPage(main(opened).getByText('Pending invitations')).toHaveCount(0)
    await main(opened).getByRole('button', { name: 'Leave organization' }).click()
    await question(opened).getByRole('button', { name: 'Leave organization' }).click()
    await expectPage(opened.page).toHaveURL('/orgs')
    await expectPage(main(opened).getByText('No organizations yet')).toBeVisible()
  })

  test('DEC-13 DEC-20 the owner removes a member after a question, and stays', async () => {
    const ada = await given.person()
    const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper' })
    const orgId = await makeOrganisation(ada, 'Messe')
    await addMember(orgId, grace)
    const opened = await openOrganisation(ada, orgId, 'Messe')
    await expectPage(row(opened, 'Grace Hopper')).toContainText('Member')
    await expectPage(row(opened, 'Ada Lovelace').getByRole('button')).toHaveCount(0)
    await main(opened).getByRole('button', { name: 'Remove Grace Hopper' }).click()
    await question(opened).getByRole('button', { name: 'Remove' }).click()
    await expectPage(row(opened, 'Grace Hopper')).toHaveCount(0)
    const { body } = await ada.call(organisationEndpoints.members, { params: { orgId } })
    expect(body.items.map(({ _id }) => _id)).toEqual([ada.personId])
  })

  test('DEC-13 DEC-14 the owner hands it over after a question, and is a member then; root can as well', async () => {
    const ada = await given.person()
    const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper' })
    const root = await given.person({ firstname: 'Ruth', isRoot: true })
    const orgId = await makeOrganisation(ada, 'Messe')
    await addMember(orgId, grace)
    const opened = await openOrganisation(ada, orgId, 'Messe')
    const makeOwner = (name: string) => main(opened).getByRole('button', { name: `Make ${name} the owner` })
    await expectPage(makeOwner('Ada Lovelace')).toHaveCount(0)
    await makeOwner('Grace Hopper').click()
    await expectPage(question(opened)).toContainText('You stay a member')
    const update = opened.page.waitForRequest((request) => request.method() === 'PUT')
    await question(opened).getByRole('button', { name: 'Make owner' }).click()
    expect((await update).headers()['if-match']).toBe('"1"')
    expect((await update).postDataJSON()).toEqual({ owner: grace.personId })
    await expectPage(row(opened, 'Grace Hopper')).toContainText('Owner')
    await expectPage(field(opened)).toHaveAttribute('readonly')
    await expectPage(makeOwner('Ada Lovelace')).toHaveCount(0)

    const roots = await openOrganisation(root, orgId, 'Messe')
    await main(roots).getByRole('button', { name: 'Make Ada Lovelace the owner' }).click()
    await question(roots).getByRole('button', { name: 'Make owner' }).click()
    await expectPage(row(roots, 'Ada Lovelace')).toContainText('Owner')
    await expectPage(field(opened)).not.toHaveAttribute('readonly')
  })

  test('DEC-11 DEC-12 invites by e-mail with a link to hand over, sends again and revokes', async () => {
    const ada = await given.person()
    const orgId = await makeOrganisation(ada, 'Messe')
    const opened = await openOrganisation(ada, orgId, 'Messe')
    // A question that leaves slowly is still there when the row goes.
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
    await expectPage(main(opened).getByText('Nobody is invited at the moment.')).toBeVisible()
    await expectPage(link).toHaveCount(0)
    await expectPage(opened.page.locator('section:focus')).toContainText('Pending invitations')
    const { body } = await ada.call(organisationEndpoints.invitations, { params: { orgId } })
    expect(body.items).toEqual([])
  })

  test('API-24 inviting a member says why not, and keeps the address', async () => {
    const ada = await given.person()
    const opened = await openOrganisation(ada, await makeOrganisation(ada, 'Messe'), 'Messe')
    await opened.page.getByPlaceholder('E-mail address').fill(ada.email)
    await opened.page.keyboard.press('Enter')
    await expectPage(notices(opened).getByText('This person belongs to it already')).toBeVisible()
    const email = opened.page.getByPlaceholder('E-mail address')
    await expectPage(email).toHaveValue(ada.email)
    await expectPage(email).toHaveAccessibleDescription('This person belongs to it already')
    await expectPage(email).toBeFocused()
  })

  test('API-24 an address that is none is marked in the field, until it is put right', async () => {
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
  })
})

for (const theme of ['light', 'dark'] as const) {
  for (const width of [1280, 390]) {
    test(`ROUTE-05 ROUTE-06 ROUTE-07 accessible, ${theme}, ${width} px`, async () => {
      const ada = await given.person()
      const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper' })
      const orgId = await makeOrganisation(ada, 'Eine Organisation mit einem Namen, der länger ist als breit')
      await addMember(orgId, grace)
      const viewport = { width, height: 844 }
      const opened = await openConsole(server, { as: ada, path: '/orgs', theme, viewport })
      const check = async () => {
        await opened.expectAccessible()
        expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
      }
      await expectPage(row(opened, 'Eine Organisation')).toBeVisible()
      await check()
      await opened.page.goto('/orgs/create')
      await expectPage(field(opened)).toBeVisible()
      await check()
      await opened.page.goto(`/orgs/${orgId}`)
      await opened.page.getByPlaceholder('E-mail address').fill(`kai-${theme}-${width}@example.org`)
      await opened.page.getByRole('button', { name: 'Invite', exact: true }).click()
      await expectPage(opened.page.getByLabel('Invitation link')).toBeVisible()
      await check()
      await field(opened).fill('Mine')
      await rename(ada, orgId, 'Theirs')
      await save(opened).click()
      await expectPage(conflict(opened)).toBeVisible()
      await check()
      expect(opened.complaints).toEqual([])
    })
  }
}
