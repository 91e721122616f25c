import { organisationEndpoints, projectEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'

const switcher = ({ page }: OpenedConsole) => page.getByRole('button', { name: /^Active project/ })
const field = ({ page }: OpenedConsole) => page.getByRole('combobox', { name: 'Find a project' })
/** The options of the switcher, without those of a select on the page below. */
const options = ({ page }: OpenedConsole) => page.getByRole('listbox').getByRole('option')

describe('the project switcher', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  const makeProject = async (owner: GivenPerson, label: string, org: string | null = null) =>
    (await owner.call(projectEndpoints.create, { body: { label, org } })).body._id

  /** A user with two projects in an organisation and two private ones. The first created one is active. */
  async function openWithFour(more: Parameters<typeof openConsole>[1] = {}) {
    const ada = await given.person()
    const org = (await ada.call(organisationEndpoints.create, { body: { label: 'Nordkai' } })).body._id
    const hall = await makeProject(ada, 'Hall 7')
    const pier = await makeProject(ada, 'Pier 3', org)
    const tower = await makeProject(ada, 'Tower 1')
    const dock = await makeProject(ada, 'Dock 2', org)
    const opened = await openConsole(server, { as: ada, path: null, ...more })
    await opened.page.addInitScript((id) => {
      if (localStorage.getItem('pult.activeProjectId') === null)
        localStorage.setItem('pult.activeProjectId', id)
    }, hall)
    await opened.page.goto(more.path ?? '/')
    await expectPage(switcher(opened)).toHaveAccessibleName('Active project: Hall 7')
    return { ...opened, ada, hall, pier, tower, dock }
  }

  test('DEC-17 lists the projects by organisation, finds one by its name, makes it active and opens home', async () => {
    const opened = await openWithFour({ path: '/me' })
    const { page } = opened
    await switcher(opened).click()
    await expectPage(field(opened)).toBeFocused()
    await expectPage(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toContainText([
      'Hall 7',
    ])
    await expectPage(page.getByRole('group', { name: 'Nordkai' }).getByRole('option')).toContainText([
      'Pier 3',
      'Dock 2',
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

  test('SHELL-07 P opens it, a digit and Enter open a recent project, and Esc restores the focus', async () => {
    const opened = await openWithFour()
    const { page } = opened
    await page.keyboard.press('p')
    await field(opened).fill('tower')
    await expectPage(options(opened)).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expectPage(switcher(opened)).toHaveAccessibleName('Active project: Tower 1')
    // The digit 1 finds the previous project first.
    await page.keyboard.press('p')
    await expectPage(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toContainText([
      'Tower 1',
      'Hall 7',
    ])
    await expectPage(options(opened).filter({ hasText: 'Hall 7' })).toContainText('1 ↵')
    await page.keyboard.press('1')
    await expectPage(options(opened).first()).toContainText('Hall 7')
    await expectPage(switcher(opened)).toHaveAccessibleName('Active project: Tower 1')
    await page.keyboard.press('Enter')
    await expectPage(switcher(opened)).toHaveAccessibleName('Active project: Hall 7')
    // Besides the active project, the recent ones are now Tower 1, Pier 3 and Dock 2.
    for (const [key, label] of [
      ['2', 'Pier 3'],
      ['3', 'Dock 2'],
    ] as const) {
      await page.evaluate(
        ([personId, ids]) => localStorage.setItem('pult.recentProjects', JSON.stringify({ [personId]: ids })),
        [opened.ada.personId, [opened.hall, opened.tower, opened.pier, opened.dock]] as const,
      )
      await page.evaluate((id) => localStorage.setItem('pult.activeProjectId', id), opened.hall)
      await page.reload()
      await expectPage(switcher(opened)).toHaveAccessibleName('Active project: Hall 7')
      await page.keyboard.press('p')
      await expectPage(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveCount(4)
      await page.keyboard.press(key)
      await expectPage(options(opened).first()).toContainText(label)
      await page.keyboard.press('Enter')
      await expectPage(switcher(opened)).toHaveAccessibleName(`Active project: ${label}`)
    }
    await switcher(opened).press('Enter')
    await expectPage(field(opened)).toBeFocused()
    await page.keyboard.press('Escape')
    await expectPage(field(opened)).toHaveCount(0)
    await expectPage(switcher(opened)).toBeFocused()
  })

  test('a search may begin with a digit, and among many projects the digit still finds the recent one first', async () => {
    const ada = await given.person()
    const { projectId: home } = await given.project(ada, { label: 'Hall 7' })
    const { projectId: recent } = await given.project(ada, { label: 'Zebra' })
    for (let number = 1; number <= 50; number += 1) await given.project(ada, { label: `Site ${number}` })
    await given.project(ada, { label: '1A North' })
    const opened = await openConsole(server, { as: ada, path: null })
    const { page } = opened
    await page.addInitScript(
      ([personId, active, ids]) => {
        if (localStorage.getItem('pult.activeProjectId') !== null) return
        localStorage.setItem('pult.activeProjectId', active)
        localStorage.setItem('pult.recentProjects', JSON.stringify({ [personId]: ids }))
      },
      [ada.personId, home, [home, recent]] as const,
    )
    await page.goto('/')
    await expectPage(switcher(opened)).toHaveAccessibleName('Active project: Hall 7')
    await page.keyboard.press('p')
    await expectPage(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveText([
      /^.*Hall 7/,
      /^.*Zebra/,
    ])
    await page.keyboard.type('1')
    await expectPage(options(opened).first()).toContainText('Zebra')
    await expectPage(options(opened).filter({ hasText: 'Site 41' })).toBeVisible()
    await page.keyboard.type('a')
    await expectPage(options(opened)).toHaveText([/1A North/])
    await expectPage(switcher(opened)).toHaveAccessibleName('Active project: Hall 7')
    await page.keyboard.press('Backspace')
    await expectPage(options(opened).first()).toContainText('Zebra')
    await page.keyboard.press('Enter')
    await expectPage(switcher(opened)).toHaveAccessibleName('Active project: Zebra')
  })

  test('DEC-30 asks before the switch discards unsaved input, and keeps project and input when the user stays', async () => {
    const opened = await openWithFour({ path: '/me/profile' })
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

  test('a row shows the number of problems of a project beside their shape, or else its edges by state', async () => {
    const ada = await given.person()
    const { projectId } = await given.project(ada, { label: 'Hall 7' })
    const pier = await given.project(ada, { label: 'Pier 3', products: ['project', 'edges'] })
    await given.project(ada, { label: 'Tower 1' })
    await sql`
      insert into task (id, project_id, type, kind, title, state, lease_for, deadline_at, fulfilled_at)
      values (${uuidv7()}, ${projectId}, 'project-export', 'info', 'Import', 'rejected', interval '1 minute', now(), now())`.execute(
      server.db,
    )
    for (const label of ['Gate', 'Crane', 'Ramp']) {
      const id = uuidv7()
      await sql`
        insert into edge (id, project_id, label, token_hash)
        values (${id}, ${pier.projectId}, ${label}, sha256(${id}::text::bytea))`.execute(server.db)
      if (label === 'Ramp') continue
      await sql`
        insert into edge_presence (edge_id, connection, run, version, is_online, seen_at)
        values (${id}, ${id}, ${id}, '1', true, now())`.execute(server.db)
    }
    const opened = await openConsole(server, { as: ada })
    await switcher(opened).click()
    const option = (label: string) => options(opened).filter({ hasText: label })
    await expectPage(option('Hall 7')).toContainText('1 problem')
    await expectPage(option('Hall 7').locator('svg[data-status=failed]')).toBeVisible()
    await expectPage(option('Pier 3')).toContainText('2 edges online, 1 waiting')
    await expectPage(option('Pier 3').locator('svg[data-status]')).toHaveCount(0)
    await expectPage(option('Tower 1')).not.toContainText('problem')
    await opened.expectAccessible()
  })

  test('DEC-14 a search without results leads to all projects and to a new one; a recent project without access is not offered, and its name is not stored', async () => {
    const opened = await openWithFour()
    const { page, ada } = opened
    await switcher(opened).click()
    await field(opened).fill('qqq')
    await expectPage(page.getByText('No project matches “qqq”')).toBeVisible()
    await page.getByRole('link', { name: 'Create project “qqq”' }).click()
    await expectPage(page).toHaveURL('/projects/create?label=qqq')
    await expectPage(page.getByLabel('Label')).toHaveValue('qqq')
    await page.getByLabel('Label').fill('')
    await switcher(opened).click()
    await field(opened).fill('qqq')
    await page.getByRole('link', { name: 'Search all projects for “qqq”' }).click()
    await expectPage(page).toHaveURL('/projects?search=qqq')
    await expectPage(field(opened)).toHaveCount(0)
    await switcher(opened).click()
    await field(opened).fill('qqq')
    await page.getByRole('button', { name: 'Search everything for “qqq”' }).click()
    const palette = page.getByRole('dialog', { name: 'Search and commands' })
    await expectPage(palette.getByRole('combobox')).toHaveValue('qqq')
    await expectPage(palette.getByRole('combobox')).toBeFocused()
    await page.keyboard.press('Escape')
    await switcher(opened).click()
    await page.getByRole('link', { name: 'All projects', exact: true }).click()
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
    await expectPage(options(opened)).toHaveCount(4)
    await expectPage(page.getByText('Secret 9')).toHaveCount(0)
  })
})
