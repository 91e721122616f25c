import { projectEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000 })
const server = await testServer({ withConsole: true })
const { given } = server

const app = '/app/project-details'
const main = ({ page }: OpenedConsole) => page.getByRole('main')
const tabs = ({ page }: OpenedConsole) =>
  page.getByRole('navigation', { name: 'Parts of Project Details' }).getByRole('link')
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
const fact = (opened: OpenedConsole, name: string) =>
  main(opened)
    .getByRole('definition')
    .and(main(opened).locator(`dt:text-is("${name}") + dd`))

let owner: GivenPerson
let viewer: GivenPerson
let maintainer: GivenPerson
let organisationOwner: GivenPerson
let root: GivenPerson
// A console renews the token that it receives, so each test has separate users.
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga', lastname: 'Ohm' })
  viewer = await given.person({ firstname: 'Vera', lastname: 'Volt' })
  maintainer = await given.person({ firstname: 'Mia', lastname: 'Meier' })
  organisationOwner = await given.person({ firstname: 'Otto', lastname: 'Orts' })
  root = await given.person({ firstname: 'Ruth', lastname: 'Root', isRoot: true })
})

/** Creates a project in which each person has the role of their name. */
async function givenProject(label = 'Messe 2026', products = ['project']) {
  const org = await given.organisation(organisationOwner, { label: 'Messe Nord', members: [owner] })
  const project = await given.project(owner, {
    label,
    org,
    products,
    consoleColor: '#0b6470',
    grants: [
      { person: viewer, productRole: 'project/viewer' },
      { person: maintainer, productRole: 'project/maintainer' },
    ],
  })
  return { ...project, ...org }
}

/** Opens the console of a user of this project. */
async function openApp(
  person: GivenPerson,
  projectId: string,
  { path = app, ...options }: { path?: string; viewport?: { width: number; height: number } } = {},
) {
  const opened = await openConsole(server, { as: person, path: null, ...options })
  await opened.page.addInitScript((id) => localStorage.setItem('pult.activeProjectId', id), projectId)
  await opened.page.goto(path)
  return opened
}

describe('the app and its tabs', () => {
  test('ROUTE-11 on a phone the open tab is visible on arrival', async () => {
    const { projectId } = await givenProject()
    const opened = await openApp(owner, projectId, {
      path: `${app}/tokens`,
      viewport: { width: 390, height: 844 },
    })
    // Browsers round the scroll position to different fractions of a pixel.
    await expectPage(tabs(opened).filter({ hasText: 'Tasks & tokens' })).toBeInViewport({ ratio: 0.99 })
    await tabs(opened).first().click()
    await expectPage(tabs(opened).first()).toBeInViewport({ ratio: 0.99 })
  })

  test('ROUTE-11 APP-06 APP-11 the project’s owner opens it from the grid, and each tab has an address that opens it', async () => {
    const { projectId } = await givenProject()
    const opened = await openApp(owner, projectId, { path: '/' })
    await main(opened).getByRole('link', { name: 'Project Details' }).click()
    await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === `${app}/overview`)
    await expectPage(tabs(opened)).toHaveText(['Overview', 'People', 'Notes', 'Settings', 'Tasks & tokens'])
    await expectPage(opened.page).toHaveTitle(/Project.*Project Details/)

    await tabs(opened).filter({ hasText: 'Settings' }).click()
    await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === `${app}/settings`)
    await expectPage(main(opened).getByLabel('Label', { exact: true })).toHaveValue('Messe 2026')
    await expectPage(opened.page).toHaveTitle(/Settings.*Project Details/)
    await opened.page.goBack()
    await expectPage(fact(opened, 'Owner')).toHaveText('Olga Ohm')

    await opened.page.goto(`${app}/people/${viewer.personId}`)
    await expectPage(opened.page).toHaveTitle(/Access of Vera Volt/)
    await expectPage(main(opened).getByRole('heading', { name: 'Vera Volt can open' })).toBeVisible()
    expect(opened.complaints).toEqual([])
  })

  test('APP-04 APP-09 DEC-15 DEC-19 ROLE-01 a viewer sees only the overview, and is denied the other tabs; a role change reaches the open app: new tabs appear, and a lost tab explains itself', async () => {
    const { projectId, grantIds } = await givenProject()
    const opened = await openApp(viewer, projectId)
    await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === `${app}/overview`)
    await expectPage(tabs(opened)).toHaveText(['Overview'])
    await expectPage(main(opened).getByText('By role (project/viewer)')).toBeVisible()

    const give = (productRole: string) =>
      owner.call(projectEndpoints.changeProductRole, {
        params: { projectId, grantId: grantIds[0] ?? '' },
        body: { productRole },
      })
    expect(await give('project/maintainer')).toSucceed()
    await tabs(opened).filter({ hasText: 'People' }).click()
    await expectPage(main(opened).getByRole('row').filter({ hasText: 'Mia Meier' })).toBeVisible()
    expect(await give('project/viewer')).toSucceed()
    await expectPage(main(opened).getByRole('alert')).toContainText('Access denied')
    await expectPage(tabs(opened)).toHaveText(['Overview'])

    for (const path of ['people', `people/${owner.personId}`, 'settings']) {
      await opened.page.goto(`${app}/${path}`)
      await expectPage(main(opened).getByRole('alert')).toContainText('Access denied')
      await expectPage(main(opened).getByText('Vera Volt')).toHaveCount(0)
    }
  })

  test.each([
    ['the owner of its organisation', () => organisationOwner],
    ['a holder of a grant without a role', () => viewer],
  ])(
    'APP-08 DEC-14 DEC-19 %s sees the project but is sent home from the app, with a notice',
    async (_who, person) => {
      const org = await given.organisation(organisationOwner)
      const { projectId } = await given.project(owner, {
        org,
        grants: [{ person: viewer, productRole: null }],
      })
      const opened = await openApp(person(), projectId, { path: `${app}/settings` })
      await expectPage(opened.page).toHaveURL('/')
      await expectPage(main(opened).getByText('You cannot open this app')).toBeVisible()
      await expectPage(main(opened).getByRole('heading', { level: 1 })).toHaveText('Messe 2026')
      await expectPage(main(opened).getByRole('link', { name: 'Project Details' })).toHaveCount(0)
    },
  )

  test('APP-09 DEC-14 a maintainer sees all users and the settings, and no control that the server would reject', async () => {
    const { projectId } = await givenProject()
    const opened = await openApp(maintainer, projectId, { path: `${app}/people` })
    const rows = main(opened).getByRole('row')
    await expectPage(rows).toHaveText([
      /Name/,
      /Olga Ohm.*Owner/,
      /Mia Meier.*You.*Maintainer/,
      /Vera Volt.*Viewer/,
    ])
    // The only button is the header's, which opens a window and changes no data.
    await expectPage(main(opened).getByRole('button')).toHaveText([''])
    await expectPage(main(opened).getByRole('button', { name: 'Open in a window' })).toBeVisible()
    await expectPage(main(opened).getByRole('combobox')).toHaveCount(0)
    await expectPage(main(opened).getByText('Invite many')).toHaveCount(0)

    await tabs(opened).filter({ hasText: 'Settings' }).click()
    const settings = main(opened).getByRole('region', { name: 'Settings' })
    await expectPage(settings.getByText('Only the owner, Olga Ohm, can change this')).toBeVisible()
    await expectPage(settings.getByRole('definition').first()).toHaveText('Messe 2026')
    await expectPage(settings.locator('input, select, textarea')).toHaveCount(0)
    // The only button is the header's, which opens a window and changes no data.
    await expectPage(main(opened).getByRole('button')).toHaveText([''])
    await expectPage(main(opened).getByRole('button', { name: 'Open in a window' })).toBeVisible()
  })
})

describe('the overview', () => {
  test('PROJ-01 DEC-16 describes the project, follows other users’ changes, copies ids, and becomes the default project of this user only', async () => {
    const { projectId, orgId } = await givenProject()
    const opened = await openApp(viewer, projectId)
    await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await expectPage(fact(opened, 'Organisation')).toHaveText('Messe Nord')
    await expectPage(fact(opened, 'Owner')).toHaveText('Olga Ohm')
    await expectPage(fact(opened, 'Products')).toHaveText('Project project')
    await expectPage(fact(opened, 'Console colour')).toHaveText('#0b6470')
    await expectPage(fact(opened, 'Organisation id')).toContainText(orgId)
    await main(opened).getByRole('button', { name: 'Copy Project id' }).click()
    await expectPage(main(opened).getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(await opened.page.evaluate(() => navigator.clipboard.readText())).toBe(projectId)

    await owner.call(projectEndpoints.update, {
      params: { projectId },
      body: { label: 'Messe 2027', meta: { customer: 'ACME', projectId: 'P-7' } },
    })
    await expectPage(main(opened).getByRole('heading', { level: 2 }).first()).toContainText('Messe 2027')
    await expectPage(fact(opened, 'Customer')).toHaveText('ACME')
    await expectPage(fact(opened, 'Project number')).toHaveText('P-7')
    await expectPage(fact(opened, 'Changed')).toHaveText(/^\d\d\.\d\d\.\d{4} - \d\d:\d\d:\d\d by Olga Ohm$/)

    await main(opened).getByRole('button', { name: 'Make it my default project' }).click()
    await expectPage(main(opened).getByText('This is your default project')).toBeVisible()
    const isDefaultOf = async (person: GivenPerson) =>
      (await person.call(projectEndpoints.read, { params: { projectId } })).body.isDefault
    expect([await isDefaultOf(viewer), await isDefaultOf(owner)]).toEqual([true, false])
  })

  test('DEC-16 API-24 checks the project and lists its problems; an error of the server appears beside the action that caused it', async () => {
    const { projectId } = await givenProject('Messe 2026', ['project', 'gone'])
    const opened = await openApp(owner, projectId)
    const check = main(opened).getByRole('button', { name: 'Check project' })
    await check.click()
    await expectPage(main(opened).getByRole('alert')).toContainText('1 problem')
    await expectPage(main(opened).getByRole('alert')).toContainText(
      'No installed extension provides the product gone',
    )
    await owner.call(projectEndpoints.update, { params: { projectId }, body: { products: ['project'] } })
    await check.click()
    await expectPage(main(opened).getByText('Everything is in order')).toBeVisible()
    await expectPage(main(opened).getByRole('alert')).toHaveCount(0)

    await opened.page.route(/\/(?:verify|set-default)$/, (route) =>
      route.fulfill({ status: 503, json: { code: 'BUSY', message: 'The server has other things to do' } }),
    )
    await check.click()
    await expectPage(main(opened).getByRole('alert')).toContainText('The server has other things to do')
    await main(opened).getByRole('button', { name: 'Make it my default project' }).click()
    await expectPage(notices(opened).getByText('Changing the default project failed')).toBeVisible()
    await expectPage(main(opened).getByRole('button', { name: 'Make it my default project' })).toBeVisible()
  })
})

describe('accessibility', () => {
  test('APP-06 each tab and its dialog are accessible and fit, in each theme and width', async () => {
    const { projectId } = await givenProject()
    const opened = await openApp(root, projectId)
    const { page } = opened
    const look = async (heading: string) => {
      await expectPage(page.getByRole('heading', { name: heading })).toBeVisible()
      await expectPage(main(opened).locator('[aria-busy="true"]')).toHaveCount(0)
      await opened.expectAccessibleInLooks()
    }
    await look('Check project')
    await tabs(opened).filter({ hasText: 'People' }).click()
    await look('Invite many')
    await main(opened).getByRole('button', { name: 'Add person' }).click()
    await look('Add a person')
    await page.keyboard.press('Escape')
    await main(opened).getByRole('link', { name: 'Access of Vera Volt' }).click()
    await look('Vera Volt can open Project')
    await tabs(opened).filter({ hasText: 'Settings' }).click()
    await look('Danger zone')
    await main(opened).getByRole('button', { name: 'Delete project' }).click()
    await look('Delete Messe 2026?')
    expect(opened.complaints).toEqual([])
  })
})
