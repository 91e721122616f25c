import { accessRequestEndpoints, projectEndpoints, rootGrantEndpoints } from '@pult/contract'
import {
  expectPage,
  type GivenPerson,
  inWaves,
  type OpenedConsole,
  openConsole,
  testServer,
} from '@pult/testkit'
import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000 })
const server = await testServer({ withConsole: true })
const { given } = server

const path = '/app/project-details/people'
const main = ({ page }: OpenedConsole) => page.getByRole('main')
const people = (opened: OpenedConsole) => main(opened).getByRole('table', { name: 'People' }).getByRole('row')
const row = (opened: OpenedConsole, name: string) => people(opened).filter({ hasText: name })
const invitations = (opened: OpenedConsole) =>
  people(opened).filter({ hasText: 'Invited' }).getByRole('rowheader')
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
// Notifications also have the dialog role.
const question = ({ page }: OpenedConsole) => page.getByRole('alertdialog', { name: /\?$/ })
const dialog = ({ page }: OpenedConsole) => page.getByRole('dialog', { name: 'Add a person' })

let owner: GivenPerson
let viewer: GivenPerson
let root: GivenPerson
let projectId: string
let grantId: string
// A console renews the token that it receives, so each test has separate users.
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga', lastname: 'Ohm' })
  viewer = await given.person({ firstname: 'Vera', lastname: 'Volt' })
  root = await given.person({ firstname: 'Ruth', lastname: 'Root', isRoot: true })
  const project = await given.project(owner, { grants: [{ person: viewer, productRole: 'project/viewer' }] })
  projectId = project.projectId
  grantId = project.grantIds[0] ?? ''
})

async function openPeople(person: GivenPerson, at = path) {
  const opened = await openConsole(server, { as: person, path: null })
  await opened.page.addInitScript((id) => localStorage.setItem('pult.activeProjectId', id), projectId)
  await opened.page.goto(at)
  return opened
}

const grants = async () =>
  (await owner.call(projectEndpoints.read, { params: { projectId } })).body.grants.map(
    ({ name, productRole }) => `${name}: ${productRole}`,
  )

describe('grants', () => {
  test('PROJ-04 DEC-15 the owner changes a role with immediate effect; only root adds and removes grants, which appear without a reload', async () => {
    const opened = await openPeople(owner)
    await expectPage(people(opened)).toHaveText([/Name/, /Olga Ohm.*You.*Owner/, /Vera Volt/])
    await expectPage(main(opened).getByRole('button', { name: 'Add person' })).toHaveCount(0)
    await expectPage(row(opened, 'Vera Volt').getByRole('button')).toHaveCount(0)
    const role = main(opened).getByLabel('Role of Vera Volt')
    await expectPage(role).toHaveAccessibleName('Role of Vera Volt (Project: Viewer)')
    await expectPage(role).toHaveValue('project/viewer')
    await expectPage(role.getByRole('option')).toHaveText([
      'Project: Viewer',
      'Project: Operator',
      'Project: Maintainer',
    ])
    await role.selectOption({ label: 'Project: Operator' })
    await expectPage(notices(opened).getByText('Role of Vera Volt changed')).toBeVisible()
    await expectPage(role).toHaveValue('project/operator')
    expect(await grants()).toEqual(['Vera Volt: project/operator'])

    const nora = await given.person({ firstname: 'Nora' })
    await root.call(rootGrantEndpoints.add, { params: { projectId }, body: { user: nora.personId } })
    await expectPage(main(opened).getByLabel('Role of Nora Lovelace')).toHaveValue('')
    await root.call(rootGrantEndpoints.remove, { params: { projectId, grantId } })
    await expectPage(row(opened, 'Vera Volt')).toHaveCount(0)
  })

  test('PROJ-05 DEC-15 DEC-20 root gives several roles in one step, one row per person, and removes a person after confirmation', async () => {
    await given.person({ firstname: 'Nora', lastname: 'Nabel', email: 'nora@example.org' })
    const opened = await openPeople(root)
    // A dialog that closes slowly is still mounted when the row disappears.
    await opened.page.emulateMedia({ reducedMotion: 'no-preference' })
    await main(opened).getByRole('button', { name: 'Add person' }).click()
    const add = dialog(opened).getByRole('button', { name: 'Add person' })
    await dialog(opened).getByRole('searchbox').fill('nora')
    await dialog(opened).getByRole('radio', { name: 'Nora Nabel' }).check()
    await expectPage(add).toBeDisabled()
    const project = dialog(opened).getByRole('group', { name: 'Project' })
    await project.getByRole('checkbox', { name: 'Operator' }).check()
    await project.getByRole('checkbox', { name: 'Maintainer' }).check()
    await opened.page.keyboard.press('Escape')
    await question(opened).getByRole('button', { name: 'Stay' }).click()
    await add.click()
    await expectPage(dialog(opened)).toHaveCount(0)
    await expectPage(row(opened, 'Nora Nabel')).toHaveCount(1)
    await expectPage(row(opened, 'Nora Nabel')).toHaveText(/Project: OperatorProject: Maintainer/)
    expect(await grants()).toEqual([
      'Vera Volt: project/viewer',
      'Nora Nabel: project/operator',
      'Nora Nabel: project/maintainer',
    ])

    await main(opened).getByRole('button', { name: 'Edit roles of Nora Nabel' }).click()
    const roles = opened.page.getByRole('dialog', { name: 'Roles of Nora Nabel' })
    const save = roles.getByRole('button', { name: 'Save roles' })
    await expectPage(save).toBeDisabled()
    await roles.getByRole('checkbox', { name: 'Operator' }).uncheck()
    await roles.getByRole('checkbox', { name: 'Maintainer' }).uncheck()
    await expectPage(roles).toContainText('Choose at least one role, or remove the person.')
    await expectPage(save).toBeDisabled()
    await roles.getByRole('checkbox', { name: 'Viewer' }).check()
    await opened.page.keyboard.press('Escape')
    await question(opened).getByRole('button', { name: 'Stay' }).click()
    await expectPage(question(opened)).toHaveCount(0)
    // Colours in transition would fail the contrast check.
    await opened.page.emulateMedia({ reducedMotion: 'reduce' })
    await opened.expectAccessible()
    await opened.page.emulateMedia({ reducedMotion: 'no-preference' })
    await save.click()
    await expectPage(notices(opened).getByText('Roles of Nora Nabel changed')).toBeVisible()
    await expectPage(row(opened, 'Nora Nabel')).toContainText('Project: Viewer')
    expect(await grants()).toEqual(['Vera Volt: project/viewer', 'Nora Nabel: project/viewer'])

    const remove = main(opened).getByRole('button', { name: 'Remove Vera Volt' })
    await remove.click()
    await expectPage(question(opened)).toContainText('Vera Volt loses Project: Viewer')
    await question(opened).getByRole('button', { name: 'Cancel' }).click()
    expect(await grants()).toHaveLength(2)
    await remove.click()
    await question(opened).getByRole('button', { name: 'Remove' }).click()
    await expectPage(row(opened, 'Vera Volt')).toHaveCount(0)
    await expectPage(
      opened.page.locator('section:focus').getByRole('table', { name: 'People' }),
    ).toBeVisible()
    expect(await grants()).toEqual(['Nora Nabel: project/viewer'])
  })

  test('grafana/grafana#25552 root reads that more people match than are shown, until the search finds fewer', async () => {
    await inWaves(21, (index) =>
      given.person({ firstname: 'Mechthild', lastname: index === 20 ? 'Zuletzt' : `Nr ${index}` }),
    )
    const opened = await openPeople(root)
    await main(opened).getByRole('button', { name: 'Add person' }).click()
    const note = dialog(opened).getByText('The first 20 are shown. Type more of the name to find others.')
    const found = dialog(opened).getByRole('radio')
    await dialog(opened).getByRole('searchbox').fill('mechthild')
    await expectPage(found).toHaveCount(20)
    await expectPage(note).toBeVisible()
    await dialog(opened).getByRole('searchbox').fill('mechthild zuletzt')
    await expectPage(found).toHaveCount(1)
    await expectPage(note).toHaveCount(0)
  })

  test('silverbulletmd/silverbullet#614 people have the order of the lists, after the owner', async () => {
    const names = ['10', '2', '1']
    const desks = await Promise.all(names.map((lastname) => given.person({ firstname: 'Desk', lastname })))
    const viewers = desks.map((person) => ({ person, productRole: 'project/viewer' }))
    projectId = (await given.project(owner, { grants: viewers })).projectId
    const opened = await openPeople(owner)
    const headers = main(opened).getByRole('table', { name: 'People' }).getByRole('rowheader')
    await expectPage(headers).toContainText(['Olga Ohm', 'Desk 1', 'Desk 2', 'Desk 10'])
  })

  test('a reader of the people sees who manages them', async () => {
    const maintainer = await given.person()
    const grant = { person: maintainer, productRole: 'project/maintainer' }
    projectId = (await given.project(owner, { grants: [grant] })).projectId
    const opened = await openPeople(maintainer)
    await expectPage(main(opened).getByText('Only the owner, Olga Ohm, can change this')).toBeVisible()
    const owners = await openPeople(owner)
    await expectPage(people(owners)).toHaveCount(3)
    await expectPage(main(owners).getByText('Only the owner, Olga Ohm, can change this')).toHaveCount(0)
  })

  test('API-24 a rejected role keeps its previous value, and the server’s message appears', async () => {
    const twice = await given.project(owner, {
      grants: [
        { person: viewer, productRole: 'project/viewer' },
        { person: viewer, productRole: 'project/operator' },
      ],
    })
    projectId = twice.projectId
    const opened = await openPeople(owner)
    const role = main(opened).getByLabel('Role of Vera Volt').first()
    await role.selectOption({ label: 'Project: Operator' })
    await expectPage(notices(opened).getByText('This person already has this role')).toBeVisible()
    await expectPage(role).toHaveValue('project/viewer')
  })
})

describe('invitations', () => {
  test('DEC-12 DEC-14 root invites with a role, passes the link on, resends the invitation, and revokes it after confirmation', async () => {
    const opened = await openPeople(await given.person({ isRoot: true }))
    // A dialog that closes slowly is still mounted when the row disappears.
    await opened.page.emulateMedia({ reducedMotion: 'no-preference' })
    const link = main(opened).getByLabel('Invitation link')
    await expectPage(invitations(opened)).toHaveCount(0)
    await main(opened).getByLabel('E-mail address').fill('kai@example.org')
    // The smallest role is the default.
    await expectPage(main(opened).getByLabel('Role', { exact: true })).toHaveValue('project/viewer')
    await main(opened).getByLabel('Role', { exact: true }).selectOption({ label: 'Project: Operator' })
    await main(opened).getByLabel('E-mail address').press('Enter')
    await expectPage(link).toHaveValue(new RegExp(`^${server.url}/bift/`))
    await expectPage(invitations(opened)).toHaveText([/kai@example\.org$/])
    await expectPage(row(opened, 'kai@example.org')).toContainText('Project: Operator')
    const first = await link.inputValue()
    await main(opened).getByRole('button', { name: 'Send the invitation of kai@example.org again' }).click()
    await expectPage(link).not.toHaveValue(first)
    for (const url of [first, await link.inputValue()]) server.watchSecret(url.split('/').at(-1) ?? '')
    const listed = () => owner.call(projectEndpoints.invitations, { params: { projectId } })
    expect((await listed()).body.items).toMatchObject([{ productRole: 'project/operator' }])

    await main(opened).getByRole('button', { name: 'Revoke the invitation of kai@example.org' }).click()
    await question(opened).getByRole('button', { name: 'Revoke' }).click()
    await expectPage(invitations(opened)).toHaveCount(0)
    await expectPage(link).toHaveCount(0)
    await expectPage(opened.page.locator('section:focus')).toContainText('People')
    expect((await listed()).body.items).toEqual([])
  })

  test('DEC-12 DEC-14 API-24 an owner invites with a role and learns that root has the link; a member cannot be invited and the input stays; other users’ invitations appear', async () => {
    const opened = await openPeople(owner)
    await main(opened).getByLabel('E-mail address').fill('lou@example.org')
    await opened.page.getByRole('navigation').getByRole('link', { name: 'Organizations' }).click()
    await question(opened).getByRole('button', { name: 'Stay' }).click()
    await main(opened).getByLabel('Role', { exact: true }).selectOption({ label: 'Project: Operator' })
    await main(opened).getByLabel('E-mail address').press('Enter')
    await expectPage(notices(opened).getByText('Root has the link')).toBeVisible()
    await expectPage(main(opened).getByLabel('Invitation link')).toHaveCount(0)
    await expectPage(invitations(opened)).toHaveText([/lou@example\.org$/])
    await main(opened).getByRole('button', { name: 'Revoke the invitation of lou@example.org' }).click()
    await question(opened).getByRole('button', { name: 'Revoke' }).click()
    await expectPage(invitations(opened)).toHaveCount(0)

    await main(opened).getByLabel('E-mail address').fill(viewer.email)
    await main(opened).getByLabel('Role', { exact: true }).selectOption({ label: 'Project: Viewer' })
    await main(opened).getByRole('button', { name: 'Invite', exact: true }).click()
    await expectPage(notices(opened).getByText('This person is already a member')).toBeVisible()
    const email = main(opened).getByLabel('E-mail address')
    await expectPage(email).toHaveValue(viewer.email)
    await expectPage(email).toHaveAccessibleDescription('This person is already a member')
    await expectPage(email).toBeFocused()
    const { body } = await root.call(projectEndpoints.invite, {
      params: { projectId },
      body: { email: 'lea@example.org', productRole: 'project/viewer' },
    })
    server.watchSecret(body.link?.split('/').at(-1) ?? '')
    await expectPage(invitations(opened)).toHaveText([/lea@example\.org$/])
  })
})

describe('effective access', () => {
  const places = (opened: OpenedConsole) => main(opened).getByRole('list', { name: 'What to open' })
  const place = (opened: OpenedConsole, name: RegExp) => places(opened).getByRole('button', { name })
  const steps = (opened: OpenedConsole) =>
    main(opened).getByRole('list', { name: 'From the person to the target' }).getByRole('listitem')

  test('DEC-15 shows for each app and tab whether a user can open it, and the step that prevents it; by keyboard', async () => {
    const opened = await openPeople(owner)
    await main(opened).getByRole('link', { name: 'Access of Vera Volt' }).focus()
    await opened.page.keyboard.press('Enter')
    await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === `${path}/${viewer.personId}`)
    await expectPage(place(opened, /^Overview/)).toHaveText(/Can open/)
    await expectPage(place(opened, /^People/)).toHaveText(/Cannot open/)
    await place(opened, /^People/).focus()
    await opened.page.keyboard.press('Space')
    await expectPage(
      main(opened).getByRole('heading', { name: 'Vera Volt cannot open Project Details › People' }),
    ).toBeVisible()
    await expectPage(steps(opened)).toHaveText([
      /PersonVera Volt/,
      /ProjectMesse 2026The person holds a grant/,
      /Productproject/,
      /AppProject DetailsThe role project-details comes from project\/viewer/,
      /TabPeopleThe role project-details:people is missing/,
    ])
    await expectPage(steps(opened).getByRole('img', { name: 'passes' })).toHaveCount(4)
    await expectPage(steps(opened).last().getByRole('img', { name: 'stops here' })).toBeVisible()

    // The new role opens it, and the access page confirms that.
    await owner.call(projectEndpoints.changeProductRole, {
      params: { projectId, grantId },
      body: { productRole: 'project/maintainer' },
    })
    await expectPage(place(opened, /^People/)).toHaveText(/Can open/)
    await expectPage(
      main(opened).getByRole('heading', { name: 'Vera Volt can open Project Details › People' }),
    ).toBeVisible()
  })

  test('DEC-14 DEC-15 an organisation member without a grant is stopped at the project, its owner at the app', async () => {
    const boss = await given.person({ firstname: 'Bo', lastname: 'Boss' })
    const member = await given.person({ firstname: 'Mo', lastname: 'Member' })
    const org = await given.organisation(boss, { label: 'Messe Nord', members: [owner, member] })
    projectId = (await given.project(owner, { org })).projectId
    const opened = await openPeople(owner, `${path}/${member.personId}`)
    await expectPage(main(opened).getByRole('heading', { name: 'Mo Member cannot open' })).toBeVisible()
    await expectPage(steps(opened).nth(1)).toHaveText(/OrganisationMesse Nord/)
    await expectPage(steps(opened).last().getByRole('img', { name: 'stops here' })).toBeVisible()
    await main(opened).getByLabel('Person', { exact: true }).selectOption({ label: 'Bo Boss' })
    await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === `${path}/${boss.personId}`)
    await expectPage(place(opened, /^Project(?! Details)/)).toHaveText(/Can open/)
    await expectPage(place(opened, /^Project Details/)).toHaveText(/Cannot open/)
  })

  test('API-24 a user without a relation to the project is not explained', async () => {
    const stranger = await given.person()
    const opened = await openPeople(owner, `${path}/${stranger.personId}`)
    await expectPage(main(opened).getByRole('alert')).toContainText('The access could not be explained')
  })
})

describe('requests for access', () => {
  test('DEC-19 a refusal names role and owner, and leads to a request that the owner answers with the role', async () => {
    const hers = await openPeople(viewer, `/app/edges?project=${projectId}`)
    await expectPage(main(hers).getByRole('alert')).toContainText('You cannot open this app')
    await expectPage(main(hers).getByRole('alert')).toContainText('Ask Olga Ohm, who owns the project.')
    await hers.page.goto('/app/project-details/notes')
    const refusal = main(hers).getByRole('alert')
    await expectPage(refusal).toContainText('Notes needs the role Operator or Maintainer.')
    await refusal.getByRole('button', { name: 'Ask for access' }).click()
    const asking = hers.page.getByRole('dialog', { name: 'Ask for access' })
    await expectPage(asking.getByLabel('Role')).toHaveValue('project/operator')
    const message = asking.getByLabel('Message (optional)')
    await message.fill('I write the log at night')
    await hers.expectAccessible()
    await hers.page.keyboard.press('Escape')
    await question(hers).getByRole('button', { name: 'Stay' }).click()
    await expectPage(message).toBeFocused()
    await expectPage(message).toHaveValue('I write the log at night')
    await asking.getByRole('button', { name: 'Send request' }).click()
    await expectPage(refusal).toContainText('You asked for the role Operator')

    const his = await openPeople(owner, '/')
    const asked = main(his).getByRole('list', { name: 'Requests for access' }).getByRole('listitem')
    await expectPage(asked).toHaveText(/Vera Volt asks for the role Operator.*I write the log at night/)
    await his.expectAccessible()
    await asked.getByRole('link').click()
    const request = people(his).filter({ hasText: 'Asks for access' })
    await expectPage(request).toContainText('Project: Operator')
    await his.expectAccessible()
    await request.getByRole('button', { name: 'Change role of Vera Volt' }).click()
    await expectPage(request).toHaveCount(0)
    expect(await grants()).toEqual(['Vera Volt: project/operator'])
    // Her page opens without a reload.
    await expectPage(main(hers).getByRole('link', { name: 'Notes' })).toBeVisible()
    await expectPage(refusal).toHaveCount(0)
    expect(hers.complaints).toEqual([])
    expect(his.complaints).toEqual([])
  })

  test('RULE-53 root gives the role in the form of all roles, an owner invites, and both decline', async () => {
    const ask = (productRole: string) =>
      viewer.call(accessRequestEndpoints.create, { params: { projectId }, body: { productRole } })
    await owner.call(projectEndpoints.update, {
      params: { projectId },
      body: { products: ['project', 'edges', 'media-library'] },
    })
    await ask('edges/viewer')
    await ask('edges/operator')
    const his = await openPeople(owner)
    const request = (opened: OpenedConsole) => people(opened).filter({ hasText: 'Asks for access' })
    await expectPage(request(his)).toHaveCount(2)
    await request(his).last().getByRole('button', { name: 'Decline the request of Vera Volt' }).click()
    await expectPage(notices(his).getByText('The request of Vera Volt was declined')).toBeVisible()
    await expectPage(request(his)).toHaveCount(1)
    await request(his).getByRole('button', { name: 'Invite Vera Volt with the role' }).click()
    await expectPage(request(his)).toHaveCount(0)
    await expectPage(invitations(his)).toContainText([viewer.email])

    await ask('media-library/viewer')
    const roots = await openPeople(root)
    await request(roots).getByRole('button', { name: 'Give role to Vera Volt' }).click()
    const form = roots.page.getByRole('dialog', { name: 'Roles of Vera Volt' })
    await expectPage(form.getByRole('checkbox', { checked: true })).toHaveCount(2)
    await form.getByRole('button', { name: 'Save roles' }).click()
    await expectPage(request(roots)).toHaveCount(0)
    expect(await grants()).toEqual(['Vera Volt: project/viewer', 'Vera Volt: media-library/viewer'])
  })
})
