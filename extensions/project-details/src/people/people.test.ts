import { projectEndpoints, rootGrantEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000 })
const server = await testServer({ withConsole: true })
const { given } = server

const path = '/app/project-details/people'
const main = ({ page }: OpenedConsole) => page.getByRole('main')
const people = (opened: OpenedConsole) => main(opened).getByRole('table', { name: 'People' }).getByRole('row')
const row = (opened: OpenedConsole, name: string) => people(opened).filter({ hasText: name })
const invitations = (opened: OpenedConsole) =>
  main(opened).getByRole('table', { name: 'Pending invitations' }).getByRole('rowheader')
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
// Toasts are such dialogs, too.
const question = ({ page }: OpenedConsole) => page.getByRole('alertdialog', { name: /\?$/ })
const dialog = ({ page }: OpenedConsole) => page.getByRole('dialog', { name: 'Add a person' })

let owner: GivenPerson
let viewer: GivenPerson
let root: GivenPerson
let projectId: string
let grantId: string
// A console renews the token that it was given: each test has its own people.
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
  test('PROJ-04 DEC-15 the owner changes a role, which counts at once; adding and removing are for root', async () => {
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
    await expectPage(notices(opened).getByText('Vera Volt has another role now')).toBeVisible()
    await expectPage(role).toHaveValue('project/operator')
    expect(await grants()).toEqual(['Vera Volt: project/operator'])
  })

  test('PROJ-05 DEC-20 root adds somebody with a role, takes a role back, and removes a grant after a question', async () => {
    await given.person({ firstname: 'Nora', lastname: 'Nabel', email: 'nora@example.org' })
    const opened = await openPeople(root)
    // A question that leaves slowly is still there when the row goes.
    await opened.page.emulateMedia({ reducedMotion: 'no-preference' })
    await main(opened).getByRole('button', { name: 'Add person' }).click()
    const add = dialog(opened).getByRole('button', { name: 'Add person' })
    await dialog(opened).getByRole('searchbox').fill('nora')
    await dialog(opened).getByRole('radio', { name: 'Nora Nabel' }).check()
    await expectPage(add).toBeDisabled()
    await dialog(opened).getByLabel('Role').selectOption({ label: 'Project: Maintainer' })
    await add.click()
    await expectPage(dialog(opened)).toHaveCount(0)
    await expectPage(main(opened).getByLabel('Role of Nora Nabel')).toHaveValue('project/maintainer')
    expect(await grants()).toEqual(['Vera Volt: project/viewer', 'Nora Nabel: project/maintainer'])

    await main(opened).getByLabel('Role of Nora Nabel').selectOption({ label: 'No role yet' })
    await expectPage(notices(opened).getByText('Nora Nabel has another role now')).toBeVisible()
    expect(await grants()).toContain('Nora Nabel: null')

    const remove = main(opened).getByRole('button', { name: 'Remove Vera Volt (Project: Viewer)' })
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
    expect(await grants()).toEqual(['Nora Nabel: null'])
  })

  test('DEC-15 what others do to the grants is there without a reload', async () => {
    const nora = await given.person({ firstname: 'Nora' })
    const opened = await openPeople(owner)
    await expectPage(row(opened, 'Vera Volt')).toBeVisible()
    await root.call(rootGrantEndpoints.add, { params: { projectId }, body: { user: nora.personId } })
    await expectPage(main(opened).getByLabel('Role of Nora Lovelace')).toHaveValue('')
    await root.call(rootGrantEndpoints.remove, { params: { projectId, grantId } })
    await expectPage(row(opened, 'Vera Volt')).toHaveCount(0)
  })

  test('API-24 a role that is refused stays what it was, and the server’s words are shown', async () => {
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
    await expectPage(notices(opened).getByText('This person holds this role already')).toBeVisible()
    await expectPage(role).toHaveValue('project/viewer')
  })
})

describe('invitations', () => {
  test('DEC-12 DEC-14 the owner invites with a role, hands the link over, sends again and revokes after a question', async () => {
    const opened = await openPeople(owner)
    // A question that leaves slowly is still there when the row goes.
    await opened.page.emulateMedia({ reducedMotion: 'no-preference' })
    const invite = main(opened).getByRole('button', { name: 'Invite', exact: true })
    const link = main(opened).getByLabel('Invitation link')
    await expectPage(main(opened).getByText('Nobody is invited at the moment.')).toBeVisible()
    await main(opened).getByLabel('E-mail address').fill('kai@example.org')
    await expectPage(invite).toBeDisabled()
    await main(opened).getByLabel('Role', { exact: true }).selectOption({ label: 'Project: Operator' })
    await main(opened).getByLabel('E-mail address').press('Enter')
    await expectPage(link).toHaveValue(new RegExp(`^${server.url}/bift/`))
    await expectPage(invitations(opened)).toHaveText(['kai@example.org'])
    await expectPage(main(opened).getByRole('table', { name: 'Pending invitations' })).toContainText(
      'Project: Operator',
    )
    const first = await link.inputValue()
    await main(opened).getByRole('button', { name: 'Send the invitation of kai@example.org again' }).click()
    await expectPage(link).not.toHaveValue(first)
    for (const url of [first, await link.inputValue()]) server.watchSecret(url.split('/').at(-1) ?? '')
    const listed = () => owner.call(projectEndpoints.invitations, { params: { projectId } })
    expect((await listed()).body.items).toMatchObject([{ productRole: 'project/operator' }])

    await main(opened).getByRole('button', { name: 'Revoke the invitation of kai@example.org' }).click()
    await question(opened).getByRole('button', { name: 'Revoke' }).click()
    await expectPage(main(opened).getByText('Nobody is invited at the moment.')).toBeVisible()
    await expectPage(link).toHaveCount(0)
    await expectPage(opened.page.locator('section:focus')).toContainText('Pending invitations')
    expect((await listed()).body.items).toEqual([])
  })

  test('API-24 somebody who has the project is not invited; what was typed stays. Others’ invitations appear', async () => {
    const opened = await openPeople(owner)
    await main(opened).getByLabel('E-mail address').fill(viewer.email)
    await main(opened).getByLabel('Role', { exact: true }).selectOption({ label: 'Project: Viewer' })
    await main(opened).getByRole('button', { name: 'Invite', exact: true }).click()
    await expectPage(notices(opened).getByText('This person belongs to it already')).toBeVisible()
    const email = main(opened).getByLabel('E-mail address')
    await expectPage(email).toHaveValue(viewer.email)
    await expectPage(email).toHaveAccessibleDescription('This person belongs to it already')
    await expectPage(email).toBeFocused()
    const { body } = await root.call(projectEndpoints.invite, {
      params: { projectId },
      body: { email: 'lea@example.org', productRole: 'project/viewer' },
    })
    server.watchSecret(body.link?.split('/').at(-1) ?? '')
    await expectPage(invitations(opened)).toHaveText(['lea@example.org'])
  })
})

describe('effective access', () => {
  const places = (opened: OpenedConsole) => main(opened).getByRole('list', { name: 'What to open' })
  const place = (opened: OpenedConsole, name: RegExp) => places(opened).getByRole('button', { name })
  const steps = (opened: OpenedConsole) =>
    main(opened)
      .getByRole('list', { name: 'From the person to what they want to open' })
      .getByRole('listitem')

  test('DEC-15 shows for each app and tab whether a person can open it, and the step that stops them; by keyboard', async () => {
    const opened = await openPeople(owner)
    await main(opened).getByRole('link', { name: 'Access of Vera Volt' }).focus()
    await opened.page.keyboard.press('Enter')
    await expectPage(opened.page).toHaveURL(`${path}/${viewer.personId}`)
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

    // Who gets the role can open it, and the page that explains it says so.
    await owner.call(projectEndpoints.changeProductRole, {
      params: { projectId, grantId },
      body: { productRole: 'project/maintainer' },
    })
    await expectPage(place(opened, /^People/)).toHaveText(/Can open/)
    await expectPage(
      main(opened).getByRole('heading', { name: 'Vera Volt can open Project Details › People' }),
    ).toBeVisible()
  })

  test('DEC-14 DEC-15 a member of the organisation without a grant is stopped at the project; its owner at the app', async () => {
    const boss = await given.person({ firstname: 'Bo', lastname: 'Boss' })
    const member = await given.person({ firstname: 'Mo', lastname: 'Member' })
    const org = await given.organisation(boss, { label: 'Messe Nord', members: [owner, member] })
    projectId = (await given.project(owner, { org })).projectId
    const opened = await openPeople(owner, `${path}/${member.personId}`)
    await expectPage(main(opened).getByRole('heading', { name: 'Mo Member cannot open' })).toBeVisible()
    await expectPage(steps(opened).nth(1)).toHaveText(/OrganizationMesse Nord/)
    await expectPage(steps(opened).last().getByRole('img', { name: 'stops here' })).toBeVisible()
    await main(opened).getByLabel('Person', { exact: true }).selectOption({ label: 'Bo Boss' })
    await expectPage(opened.page).toHaveURL(`${path}/${boss.personId}`)
    await expectPage(place(opened, /^The project itself/)).toHaveText(/Can open/)
    await expectPage(place(opened, /^Project Details/)).toHaveText(/Cannot open/)
  })

  test('API-24 somebody whom the project does not know is not explained', async () => {
    const stranger = await given.person()
    const opened = await openPeople(owner, `${path}/${stranger.personId}`)
    await expectPage(main(opened).getByRole('alert')).toContainText('The access could not be explained')
  })
})
