import { organisationEndpoints, projectEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'

const switcher = ({ page }: OpenedConsole) => page.getByRole('button', { name: /^Active project/ })
const field = ({ page }: OpenedConsole) => page.getByRole('combobox', { name: 'Find a project' })
/** Without the options of a select on the page below. */
const options = ({ page }: OpenedConsole) => page.getByRole('listbox').getByRole('option')

describe('the project switcher', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  const makeProject = async (owner: GivenPerson, label: string, org: string | null = null) =>
    (await owner.call(projectEndpoints.create, { body: { label, org } })).body._id

  /** A user with a project in an organisation and two private ones. The first created one is active. */
  async function openWithThree(more: Parameters<typeof openConsole>[1] = {}) {
    const ada = await given.person()
    const org = (await ada.call(organisationEndpoints.create, { body: { label: 'Nordkai' } })).body._id
    const hall = await makeProject(ada, 'Hall 7')
    await makeProject(ada, 'Pier 3', org)
    await makeProject(ada, 'Tower 1')
    const opened = await openConsole(server, { as: ada, path: null, ...more })
    await opened.page.addInitScript((id) => {
      if (localStorage.getItem('pult.activeProjectId') === null)
        localStorage.setItem('pult.activeProjectId', id)
    }, hall)
    await opened.page.goto(more.path ?? '/')
    await expectPage(switcher(opened)).toHaveAccessibleName('Active project: Hall 7')
    return { ...opened, ada, hall }
  }

  test('DEC-17 lists the projects by organisation, finds one by its name, makes it active and opens home', async () => {
    const opened = await openWithThree({ path: '/me' })
    const { page } = opened
    await switcher(opened).click()
    await expectPage(field(opened)).toBeFocused()
    await expectPage(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toContainText([
      'Hall 7',
    ])
    await expectPage(page.getByRole('group', { name: 'Nordkai' }).getByRole('option')).toContainText([
      'Pier 3',
    ])
    await expectPage(page.getByRole('group', { name: 'Private' }).getByRole('option')).toContainText([
      'Tower 1',
    ])
    await field(opened).fill('pier')
    await expectPage(options(opened)).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expectPage(page.getByRole('heading', { level: 1, name: 'Pier 3' })).toBeVisible()
    await expectPage(page).toHaveURL('/')
    expect(opened.complaints).toEqual([])
  })

  test('SHELL-07 P opens it, the digits open the recent projects, and Esc restores the focus', async () => {
    const opened = await openWithThree()
    const { page } = opened
    await page.keyboard.press('p')
    await field(opened).fill('tower')
    await expectPage(options(opened)).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expectPage(switcher(opened)).toHaveAccessibleName('Active project: Tower 1')
    // The project before.
    await page.keyboard.press('p')
    await expectPage(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toContainText([
      'Tower 1',
      'Hall 7',
    ])
    await page.keyboard.press('1')
    await expectPage(switcher(opened)).toHaveAccessibleName('Active project: Hall 7')
    await switcher(opened).press('Enter')
    await expectPage(field(opened)).toBeFocused()
    await page.keyboard.press('Escape')
    await expectPage(field(opened)).toHaveCount(0)
    await expectPage(switcher(opened)).toBeFocused()
  })

  test('DEC-30 asks before the switch discards unsaved input, and keeps project and input when the user stays', async () => {
    const opened = await openWithThree({ path: '/me/profile' })
    const { page, hall } = opened
    await page.getByLabel('First name').fill('Unsaved')
    const choose = async () => {
      await switcher(opened).click()
      await field(opened).fill('pier')
      await expectPage(options(opened)).toHaveCount(1)
      await page.keyboard.press('Enter')
    }
    await choose()
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await expectPage(page.getByLabel('First name')).toHaveValue('Unsaved')
    expect(await page.evaluate(() => localStorage.getItem('pult.activeProjectId'))).toBe(hall)
    await choose()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expectPage(page.getByRole('heading', { level: 1, name: 'Pier 3' })).toBeVisible()
  })

  test('counts the problems of a project in its row', async () => {
    const ada = await given.person()
    const projectId = await makeProject(ada, 'Hall 7')
    await makeProject(ada, 'Tower 1')
    await sql`
      insert into task (id, project_id, type, kind, title, state, lease_for, deadline_at, fulfilled_at)
      values (${uuidv7()}, ${projectId}, 'project-export', 'info', 'Import', 'rejected', interval '1 minute', now(), now())`.execute(
      server.db,
    )
    const opened = await openConsole(server, { as: ada })
    await opened.page.getByRole('button', { name: /^Active project/ }).click()
    await expectPage(options(opened).filter({ hasText: 'Hall 7' })).toContainText('1 problem')
    await expectPage(options(opened).filter({ hasText: 'Tower 1' })).not.toContainText('problem')
    await opened.expectAccessible()
  })

  test('DEC-14 shows what is not found and leads to all projects and to a new one; a recent project without access is not offered, and no name of it is stored', async () => {
    const opened = await openWithThree()
    const { page, ada } = opened
    await switcher(opened).click()
    await field(opened).fill('qqq')
    await expectPage(page.getByText('No project matches “qqq”')).toBeVisible()
    await page.getByRole('link', { name: 'All projects' }).click()
    await expectPage(page).toHaveURL('/projects')
    await expectPage(field(opened)).toHaveCount(0)
    await switcher(opened).click()
    const layer = page.getByRole('dialog', { name: 'Switch project' })
    await layer.getByRole('link', { name: 'Create project' }).click()
    await expectPage(page).toHaveURL('/projects/create')

    const stranger = await given.person()
    const lost = await makeProject(stranger, 'Secret 9')
    await page.evaluate(
      ([personId, id]) => localStorage.setItem('pult.recentProjects', JSON.stringify({ [personId]: [id] })),
      [ada.personId, lost] as const,
    )
    await page.reload()
    await switcher(opened).click()
    await expectPage(options(opened)).toHaveCount(3)
    await expectPage(page.getByText('Secret 9')).toHaveCount(0)
  })
})
