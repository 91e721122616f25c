import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { beforeEach, expect, test } from 'vitest'
import { renderExtension, renderService } from './testing/render-service.ts'

const server = await testServer({ withConsole: true, extensionsFolder: await renderExtension() })
const { given } = server

let owner: GivenPerson
let member: GivenPerson
let services: Awaited<ReturnType<typeof renderService>>[]
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga', lastname: 'Ohm' })
  member = await given.person({ firstname: 'Max', lastname: 'Meter' })
  const grants = [{ person: member, productRole: 'render/user' }]
  const facts = { products: ['render'], grants }
  const fair = await given.project(owner, { label: 'Messe 2026', ...facts })
  const hall = await given.project(owner, { label: 'Hall 4', ...facts })
  services = [
    await renderService(server, owner, fair.projectId),
    await renderService(server, owner, hall.projectId),
  ]
})

const begin = (project: 0 | 1, title: string, by: GivenPerson) => {
  const service = services[project]
  if (service === undefined) throw new Error('There are two')
  return service.begin({ title, by })
}
const openTasks = (as: GivenPerson, options: Parameters<typeof openConsole>[1] = {}) =>
  openConsole(server, { as, path: '/tasks', ...options })
const main = ({ page }: OpenedConsole) => page.getByRole('main')
const titles = (opened: OpenedConsole) =>
  main(opened).getByRole('table', { name: 'Tasks' }).getByRole('rowheader')
const row = (opened: OpenedConsole, title: string) => main(opened).getByRole('row').filter({ hasText: title })

test('TASK-03 TASK-13 one page shows the tasks of all projects, live, with the permitted actions', async () => {
  const show = await begin(0, 'Opening show', owner)
  await begin(1, 'Lights', member)
  const opened = await openTasks(member)
  await expectPage(main(opened).getByRole('heading', { level: 1, name: 'Tasks' })).toBeVisible()
  await expectPage(opened.page).toHaveTitle(/Tasks/)
  await expectPage(titles(opened)).toHaveText([/^Lights/, /^Opening show/])
  await expectPage(row(opened, 'Lights')).toContainText('Hall 4')
  await expectPage(row(opened, 'Opening show').getByRole('button')).toHaveCount(0)
  await show.report(3, 8)
  await expectPage(row(opened, 'Opening show').getByRole('progressbar')).toHaveAttribute(
    'aria-valuetext',
    '3 / 8',
  )
  await show.reject('Disk full')
  await expectPage(row(opened, 'Opening show')).toContainText(/Failed.*Disk full/)

  await row(opened, 'Lights').getByRole('button', { name: 'Abort: Lights' }).click()
  await opened.page
    .getByRole('alertdialog', { name: 'Abort this task?' })
    .getByRole('button', { name: 'Abort' })
    .click()
  await expectPage(row(opened, 'Lights')).toContainText('Aborted')
  await row(opened, 'Lights').getByRole('button', { name: 'Archive: Lights' }).click()
  await expectPage(titles(opened)).toHaveText([/^Opening show/])
  expect(opened.complaints).toEqual([])
})

test('TASK-03 state, owner and search are in the address, and pages lead forward and back', async () => {
  await (await begin(0, 'Opening show', owner)).fulfil()
  await begin(0, 'Second show', owner)
  await begin(1, 'Lights', member)
  const opened = await openTasks(owner)
  await expectPage(titles(opened)).toHaveCount(3)
  const chip = (name: string) => main(opened).getByRole('button', { name, exact: true })
  await expectPage(chip('Failed 0')).toHaveCount(0)
  await chip('Running 2').click()
  await expectPage(titles(opened)).toHaveText([/^Lights/, /^Second show/])
  await expectPage(chip('Finished 1')).toHaveAttribute('aria-pressed', 'false')
  await main(opened).getByRole('checkbox', { name: 'Mine only' }).click()
  await expectPage(titles(opened)).toHaveText([/^Second show/])
  await opened.page.reload()
  await expectPage(titles(opened)).toHaveText([/^Second show/])
  await expectPage(chip('Running 1')).toHaveAttribute('aria-pressed', 'true')
  await chip('Running 1').click()
  await main(opened).getByRole('checkbox', { name: 'Mine only' }).click()
  await main(opened).getByRole('searchbox').fill('user:max')
  await expectPage(titles(opened)).toHaveText([/^Lights/])
  await main(opened).getByRole('searchbox').fill('nowhere')
  await expectPage(main(opened)).toContainText('Nothing found')

  for (let cue = 1; cue <= 50; cue += 1) await begin(1, `Cue ${cue}`, owner)
  await main(opened).getByRole('searchbox').fill('')
  await expectPage(titles(opened)).toHaveCount(50)
  await main(opened).getByRole('button', { name: 'Next page' }).click()
  await expectPage(titles(opened)).toHaveText([/^Lights/, /^Second show/, /^Opening show/])
  await opened.page.goBack()
  await expectPage(titles(opened)).toHaveCount(50)
})

test('the page orders by running time, and retries a failed export as a new task', async () => {
  const { projectId } = await given.project(owner, { label: 'Depot' })
  const failedId = uuidv7()
  await sql`
    insert into task (id, project_id, type, kind, title, state, payload, created_by, lease_for, started_at, deadline_at, fulfilled_at, retry_until)
    values (${failedId}::uuid, ${projectId}::uuid, 'project-export', 'download-generation', 'Depot', 'timed-out', '{"without": []}',
      ${owner.personId}::uuid, interval '1 minute', now() - interval '5 minutes', now(), now(), now() + interval '1 hour')`.execute(
    server.db,
  )
  await (await begin(0, 'Opening show', owner)).report(1, 8)
  const opened = await openTasks(owner)
  await expectPage(titles(opened)).toHaveText([/^Opening show/, /^Export: Depot/])
  await main(opened).getByRole('combobox', { name: 'Order' }).selectOption('By state')
  await expectPage(opened.page).toHaveURL(/sort=state/)
  await opened.page.reload()
  await expectPage(titles(opened)).toHaveText([/^Opening show/, /^Export: Depot/])
  await main(opened).getByRole('combobox', { name: 'Order' }).selectOption('Newest first')
  await expectPage(row(opened, 'Opening show').getByRole('button', { name: /^Retry/ })).toHaveCount(0)
  await row(opened, 'Export: Depot')
    .getByRole('button', { name: /^Retry/ })
    .click()
  await expectPage(row(opened, 'Export: Depot')).toHaveCount(2)
  await expectPage(row(opened, 'Export: Depot').getByRole('button', { name: /^Retry/ })).toHaveCount(0)
  expect(opened.complaints).toEqual([])
})

test('TASK-03 the list fills the page at every width without cutting anything off', async () => {
  const project = await given.project(owner, {
    label: 'Festspielhaus Obermaschinerie und Unterbühne',
    products: ['render'],
  })
  const service = await renderService(server, owner, project.projectId)
  const show = await service.begin({
    title: 'Prospektzüge 1 bis 12 und die Versenkung '.repeat(3),
    by: owner,
  })
  await show.report(3, 8, 'Scene 3 of the second act')
  await (await service.begin({ title: `Formats-${'x'.repeat(60)}`, by: owner })).reject('Disk full')
  const opened = await openTasks(owner, { viewport: { width: 820, height: 800 } })
  for (const language of ['de', 'en', 'de-DE']) {
    await opened.page.evaluate((locale) => localStorage.setItem('pult.locale', locale), language)
    await opened.page.reload()
    await expectPage(opened.page.locator('html')).toHaveAttribute('lang', language)
    await expectPage(main(opened).getByRole('rowheader')).toHaveCount(2)
    for (const width of [700, 820, 900, 960, 1024, 1100, 1150, 1200, 1280]) {
      await opened.page.setViewportSize({ width, height: 800 })
      // The layout of this width is rendered two frames later.
      await opened.page.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
      )
      const beyond = () =>
        main(opened).evaluate((area) => {
          const card = area.querySelector('table')?.closest('section')?.getBoundingClientRect()
          const cells = [...area.querySelectorAll('td, td button, td time')]
          const field = area.querySelector('h1')?.parentElement?.parentElement?.getBoundingClientRect()
          return {
            page: document.documentElement.scrollWidth - window.innerWidth,
            cells: cells.filter((cell) => cell.getBoundingClientRect().right > (card?.right ?? 0)).length,
            blank: Math.round((field?.right ?? 0) - (card?.right ?? 0)),
          }
        })
      await expectPage.poll(beyond, `${language}, ${width} px`).toEqual({ page: 0, cells: 0, blank: 0 })
    }
  }
}, 60_000)

test('TASK-03 a search longer than the server’s limit is truncated', async () => {
  await begin(0, 'Opening show', owner)
  const opened = await openTasks(owner, { path: `/tasks?search=${'x'.repeat(300)}` })
  await expectPage(main(opened).getByText('Nothing found')).toBeVisible()
  const search = main(opened).getByRole('searchbox')
  await expectPage(search).toHaveValue('x'.repeat(200))
  await search.fill('')
  await search.fill('y'.repeat(200))
  await search.press('z')
  await expectPage(search).toHaveValue('y'.repeat(200))
  await expectPage(main(opened).getByText('Nothing found')).toBeVisible()
}, 60_000)

test('TASK-03 the page has no axe findings in each theme and width', async () => {
  await (await begin(0, 'Opening show', owner)).report(1, 8, 'Scene 1')
  await (await begin(1, 'Lights', member)).reject('Disk full')
  const opened = await openTasks(owner)
  await expectPage(titles(opened)).toHaveCount(2)
  await opened.expectAccessibleInLooks()
  expect(opened.complaints).toEqual([])
})
