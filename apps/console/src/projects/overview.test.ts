import {
  edgeEndpoints,
  edgeEnrolmentEndpoints,
  organisationEndpoints,
  overviewEndpoints,
  projectEndpoints,
} from '@pult/contract'
import { connectAgent, someReport } from '@pult/server/edges/testing/virtual-agent.ts'
import {
  expectPage,
  type GivenPerson,
  muteEvents,
  type OpenedConsole,
  openConsole,
  testServer,
} from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given, db } = server

const main = ({ page }: OpenedConsole) => page.getByRole('main')
const list = (opened: OpenedConsole) => main(opened).getByRole('group', { name: 'Projects' })
const rows = (opened: OpenedConsole) => list(opened).getByRole('listitem')
const row = (opened: OpenedConsole, label: string) => rows(opened).filter({ hasText: label })

const products = ['project', 'edges']
const phone = { width: 390, height: 844 }

const edge = (projectId: string, label: string, offlineFor?: number) =>
  given.edge(projectId, { label, offlineFor })

const task = (projectId: string, state: 'rejected' | 'running') =>
  sql`
    insert into task (id, project_id, type, kind, title, state, lease_for, deadline_at, fulfilled_at)
    values (${uuidv7()}, ${projectId}, 'project-export', 'info', 'Import', ${state}, interval '1 hour', now() + interval '1 hour',
      ${state === 'running' ? null : sql`now()`})`.execute(db)

/** Creates a project with edges, a problem, a running task, people and an activity. */
async function busyProject(owner: GivenPerson): Promise<string> {
  const { body } = await owner.call(projectEndpoints.create, { body: { label: 'Busy', org: null, products } })
  await edge(body._id, 'Gate')
  await edge(body._id, 'Crane', 5)
  await task(body._id, 'running')
  return body._id
}

describe('a row of the overview', () => {
  test('DEC-17 links to its project across its whole width, and Ctrl or its menu opens the project in a new tab', async () => {
    const ada = await given.person()
    await given.project(ada, { label: 'Messe' })
    const { projectId } = await given.project(ada, { label: 'Museum' })
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    const link = row(opened, 'Museum').getByRole('link', { name: 'Museum', exact: true })
    await expectPage(link).toHaveAttribute('href', `/?project=${projectId}`)
    const stored = () => opened.page.evaluate(() => localStorage.getItem('pult.activeProjectId'))

    // Clicks beside the name, because the whole row is the link.
    const openInTab = [
      () => row(opened, 'Museum').click({ modifiers: ['ControlOrMeta'], position: { x: 300, y: 20 } }),
      async () => {
        await row(opened, 'Museum').getByRole('button', { name: 'Actions for Museum' }).click()
        await opened.page.getByRole('menuitem', { name: 'Open in a new tab' }).click()
      },
    ]
    for (const act of openInTab) {
      const [tab] = await Promise.all([opened.context.waitForEvent('page'), act()])
      await expectPage(tab.getByRole('heading', { level: 1, name: 'Museum' })).toBeVisible()
      await expectPage(tab).toHaveURL(`/?project=${projectId}`)
      await tab.close()
    }
    await expectPage(opened.page).toHaveURL('/projects')
    expect(await stored()).not.toBe(projectId)
    await row(opened, 'Museum').click({ position: { x: 300, y: 20 } })
    await expectPage(opened.page.getByRole('heading', { level: 1, name: 'Museum' })).toBeVisible()
    await expectPage(opened.page).toHaveURL('/')
    expect(await stored()).toBe(projectId)
  })

  test('DEC-14 its menu leads users with access to Project Details; a menu with a single entry is omitted', async () => {
    const ada = await given.person()
    const { projectId } = await given.project(ada, { label: 'Own' })
    await given.project(await given.person(), {
      label: 'Lent',
      products: ['project', 'hello'],
      grants: [{ person: ada, productRole: 'hello/viewer' }],
    })
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    const menu = (label: string) => opened.page.getByRole('button', { name: `Actions for ${label}` })
    await menu('Lent').click()
    await expectPage(opened.page.getByRole('menuitem')).toHaveText(['Open in a new tab', 'Make default'])
    await opened.page.getByRole('menuitem', { name: 'Make default' }).click()
    await expectPage(row(opened, 'Lent').getByText('Default', { exact: true })).toBeVisible()
    await expectPage(menu('Lent')).toHaveCount(0)
    await menu('Own').click()
    await opened.page.getByRole('menuitem', { name: 'Project Details' }).click()
    await expectPage(opened.page).toHaveURL(
      new RegExp(`/app/project-details(/overview)?\\?project=${projectId}`),
    )
  })

  test('shows state, reach, tasks, people and the last activity beside the side column, under one-line headings', async () => {
    const ada = await given.person()
    await busyProject(ada)
    await given.project(ada, { label: 'Calm', products: ['project'] })
    for (const width of [1280, 1440]) {
      const opened = await openConsole(server, {
        as: ada,
        path: '/projects',
        viewport: { width, height: 800 },
      })
      const busy = row(opened, 'Busy')
      await expectPage(busy.getByText('1 problem')).toBeVisible()
      await expectPage(busy.getByText(/\d\W%/)).toBeVisible()
      await expectPage(busy.getByRole('img', { name: '1 task running' })).toBeVisible()
      await expectPage(busy.getByRole('img', { name: 'Ada Lovelace' })).toBeVisible()
      // The time is relative, with seconds and minutes (docs/decisions/0080).
      await expectPage(busy.locator('time')).toHaveText(/^vor|jetzt/)
      const [side, table] = [
        await main(opened).getByRole('region', { name: 'Needs attention' }).boundingBox(),
        await list(opened).boundingBox(),
      ]
      expect(side?.x).toBeGreaterThan((table?.x ?? 0) + (table?.width ?? 0))
      const heads = list(opened).locator('[aria-hidden=true] > span', { hasText: /Project|Last activity/ })
      const [project, activity] = [
        await heads.first().boundingBox(),
        await list(opened).getByText('Last activity').boundingBox(),
      ]
      expect(activity?.height).toBe(project?.height)
      // A project without grants and without the product "edges".
      await expectPage(row(opened, 'Calm')).toContainText('–')
      await expectPage(row(opened, 'Calm')).not.toContainText('%')
    }
  })
})

describe('the page of the overview', () => {
  test('SHELL-07 counts projects and organisations once all are loaded, and C opens the form except in fields', async () => {
    const ada = await given.person()
    const made = await ada.call(organisationEndpoints.create, { body: { label: 'Nordkai' } })
    for (const org of [made.body._id, made.body._id, null])
      await ada.call(projectEndpoints.create, { body: { label: 'Halle', org } })
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    const { page } = opened
    await expectPage(main(opened).getByText('2 projects in 1 organisation and 1 private one')).toBeVisible()
    const search = main(opened).getByRole('searchbox', { name: 'Search projects' })
    const create = main(opened).getByRole('link', { name: 'Create project' })
    const [field, button] = [await search.boundingBox(), await create.boundingBox()]
    expect(Math.abs((field?.y ?? 0) - (button?.y ?? 99))).toBeLessThan(5)

    await expectPage(create.getByText('C', { exact: true })).toBeVisible()
    await search.press('c')
    await expectPage(search).toHaveValue('c')
    await expectPage(page).toHaveURL('/projects?search=c')
    await main(opened).getByRole('heading', { level: 1 }).click()
    await page.keyboard.press('c')
    await expectPage(page).toHaveURL('/projects/create')
  })

  test('the number of problems has the colour of the worst, and failed tasks count for 24 hours', async () => {
    const colorOf = async (owner: GivenPerson) => {
      const opened = await openConsole(server, { as: owner, path: '/projects' })
      const tile = main(opened).locator('dl > div', { hasText: 'Problems open' })
      await expectPage(tile).toBeVisible()
      const color = await tile.locator('dd > span').evaluate((element) => getComputedStyle(element).color)
      return { opened, color }
    }
    const well = await given.person()
    await given.project(well, { label: 'Calm' })
    const invited = await given.person()
    const { projectId } = await given.project(invited, { label: 'Inviting' })
    await invited.call(projectEndpoints.invite, {
      params: { projectId },
      body: { email: 'kai@example.org', productRole: 'project/viewer' },
    })
    await sql`update token_link set expires_at = now() + interval '1 hour' where target = ${`project:${projectId}`}`.execute(
      db,
    )
    const failed = await given.person()
    await task((await given.project(failed, { label: 'Failing' })).projectId, 'rejected')

    const neutral = (await colorOf(well)).color
    const { opened: inviting, color } = await colorOf(invited)
    await expectPage(row(inviting, 'Inviting')).toContainText('1 problem')
    expect(color).toBe(neutral)
    const { opened, color: danger } = await colorOf(failed)
    expect(danger).not.toBe(neutral)
    await expectPage(main(opened).getByText(/^1 failed in 24\Wh$/)).toBeVisible()
  })

  test('after a failed refresh the last values are grey, with their time, until the next response', async () => {
    const ada = await given.person()
    const projectId = await busyProject(ada)
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    await expectPage(row(opened, 'Busy')).toContainText('1 problem')
    await opened.page.route(/\/api\/overview/, (route) =>
      route.fulfill({ status: 503, json: { code: 'BUSY', message: 'Later' } }),
    )
    await ada.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Ramp' } })
    await expectPage(list(opened).getByText(/^as of \d\d:\d\d$/)).toBeVisible()
    await expectPage(list(opened).getByText('Next attempt in')).toBeVisible()
    // A read that was in progress may have included the new edge.
    await expectPage(row(opened, 'Busy')).toContainText(/[23] edges/)
    await expectPage(
      main(opened)
        .getByRole('region', { name: 'Needs attention' })
        .getByText(/^as of/),
    ).toBeVisible()
    await expectPage(main(opened).locator('dl')).toHaveAttribute('data-stale')
    await opened.expectAccessible()
    await opened.page.unroute(/\/api\/overview/)
    await expectPage(list(opened).getByText(/^as of/)).toHaveCount(0)
    await expectPage(main(opened).locator('dl')).not.toHaveAttribute('data-stale')
    await expectPage(row(opened, 'Busy')).toContainText('3 edges')
  })

  test('while the pointer or the focus is in the list, its rows keep their order, values change, and new rows wait', async () => {
    const ada = await given.person()
    await given.project(ada, { label: 'Alpha', products })
    const { projectId } = await given.project(ada, { label: 'Beta', products })
    await edge(projectId, 'Gate')
    const opened = await openConsole(server, { as: ada, path: '/projects' })
    const { page } = opened
    await expectPage(rows(opened)).toHaveText([/Alpha/, /Beta/])
    await row(opened, 'Alpha').hover()
    await edge(projectId, 'Crane', 5)
    await ada.call(projectEndpoints.create, { body: { label: 'Gamma', org: null } })
    const newcomers = page.getByRole('button', { name: '1 new' })
    await expectPage(newcomers).toBeVisible()
    await expectPage(row(opened, 'Beta')).toContainText('1 problem')
    await expectPage(rows(opened)).toHaveText([/Alpha/, /Beta/])
    await newcomers.click()
    await expectPage(rows(opened)).toHaveText([/Beta/, /Alpha/, /Gamma/])
    await expectPage(newcomers).toHaveCount(0)

    // A search is another query: its rows appear immediately, although the focus returns to the list.
    await row(opened, 'Alpha').getByRole('link').focus()
    await page.mouse.move(0, 0)
    await ada.call(projectEndpoints.create, { body: { label: 'Delta', org: null } })
    await expectPage(newcomers).toBeVisible()
    await main(opened).getByRole('searchbox').fill('delta')
    await expectPage(rows(opened)).toHaveText([/Delta/])
    await main(opened).getByRole('searchbox').fill('')
    await expectPage(rows(opened)).toHaveText([/Beta/, /Alpha/, /Gamma/, /Delta/])
  })

  test('DEC-14 an organisation’s page shows its projects without a group heading, the worst first; an edge that goes offline changes its row', async () => {
    const ada = await given.person()
    const made = await ada.call(organisationEndpoints.create, { body: { label: 'Nordkai' } })
    const org = { orgId: made.body._id }
    const { projectId } = await given.project(ada, { label: 'Calm', org, products })
    const dark = await given.project(ada, { label: 'Dark', org, products })
    await edge(dark.projectId, 'Crane', 5)
    const enrolled = await ada.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Gate' } })
    server.watchSecret(enrolled.body.code)
    const { body } = await server.call(edgeEnrolmentEndpoints.redeem, { body: { code: enrolled.body.code } })
    server.watchSecret(body.token)
    const agent = await connectAgent(server.url, { token: body.token })
    agent.report(someReport())

    const opened = await openConsole(server, { as: ada, path: `/orgs/${org.orgId}` })
    await expectPage(row(opened, 'Calm')).toContainText('All well')
    await expectPage(rows(opened)).toHaveText([/Dark.*1 problem/, /Calm/])
    await expectPage(list(opened).getByRole('heading')).toHaveCount(0)
    agent.ws.terminate()
    await expectPage(row(opened, 'Calm')).toContainText('1 problem')
    await expectPage(rows(opened)).toHaveText([/Dark/, /Calm.*1 problem/])
  })
})

test('problems of the project on screen do not hide those of other projects, and their failed read is retried', async () => {
  const ada = await given.person()
  const here = await given.project(ada, { label: 'Here', products })
  const there = await given.project(ada, { label: 'There', products })
  for (let number = 1; number <= 10; number += 1) await edge(here.projectId, `Crane ${number}`, 100 + number)
  await edge(there.projectId, 'Gate', 5)
  expect((await ada.call(overviewEndpoints.read)).body.summary?.attention).toHaveLength(10)

  const opened = await openConsole(server, { as: ada, path: null })
  await muteEvents(opened.page)
  let failures = 0
  // A failed read is retried twice before the query counts as failed.
  await opened.page.route(/\/api\/overview\?/, async (route) => {
    if (failures === 3) return route.continue()
    failures += 1
    await route.fulfill({ status: 503, json: { code: 'BUSY', message: 'Later' } })
  })
  await opened.page.goto(`/?project=${here.projectId}`)
  const elsewhere = main(opened).getByRole('list', { name: 'In other projects' })
  await expectPage(elsewhere.getByRole('listitem')).toHaveText([/Gate.*There/])
  expect(failures).toBe(3)
})

describe('on a phone', () => {
  test('a row has two lines with the state on the right', async () => {
    const ada = await given.person()
    await busyProject(ada)
    const opened = await openConsole(server, { as: ada, path: '/projects', viewport: phone })
    const busy = row(opened, 'Busy')
    await expectPage(busy.getByText('1 problem')).toBeVisible()
    const [name, facts, verdict, time] = await Promise.all(
      [
        busy.getByRole('link'),
        busy.getByText('2 edges').first(),
        busy.getByText('1 problem'),
        busy.locator('time'),
      ].map((part) => part.boundingBox()),
    )
    const middle = (box: typeof name) => (box?.y ?? 0) + (box?.height ?? 0) / 2
    expect(Math.abs(middle(name) - middle(verdict))).toBeLessThan(6)
    expect(Math.abs(middle(facts) - middle(time))).toBeLessThan(10)
    expect(middle(facts)).toBeGreaterThan(middle(name) + 8)
    expect(verdict?.x).toBeGreaterThan(195)
    await expectPage(busy.getByRole('img')).toHaveCount(0)
  })

  test('every control of the page has a target of 44 px', async () => {
    const ada = await given.person()
    await busyProject(ada)
    const opened = await openConsole(server, { as: ada, path: '/projects', viewport: phone })
    const session = await opened.context.newCDPSession(opened.page)
    await session.send('Emulation.setTouchEmulationEnabled', { enabled: true })
    await expectPage
      .poll(() => opened.page.evaluate(() => matchMedia('(pointer: coarse)').matches))
      .toBe(true)
    await expectPage(row(opened, 'Busy')).toContainText('1 problem')
    await expectPage(main(opened).getByRole('list', { name: 'Needs attention' })).toBeVisible()
    await main(opened).getByRole('searchbox').fill('busy')
    const tooSmall = await main(opened)
      .locator('a[href], button, input, select')
      .evaluateAll((controls) =>
        controls
          .map((control) => {
            // A pseudo-element extends a link over the whole row. A field's target is its frame.
            const isRow = getComputedStyle(control, '::after').position === 'absolute'
            const target = isRow
              ? control.closest('li')
              : control.matches('input')
                ? control.parentElement
                : control
            const { width = 0, height = 0 } = target?.getBoundingClientRect() ?? {}
            return { name: control.ariaLabel ?? control.textContent, width, height }
          })
          .filter(({ width, height }) => width < 44 || height < 43.5),
      )
    expect(tooSmall).toEqual([])
  })
})
