import { expectPage, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given, db } = server

const main = ({ page }: OpenedConsole) => page.getByRole('main')

const isTooWide = () => document.documentElement.scrollWidth > innerWidth

test('names of 200 Arabic characters keep their direction, and overflow neither home nor the overview nor the switcher', async () => {
  const name = 'محطة '.repeat(40).slice(0, 199)
  const ada = await given.person()
  const { projectId } = await given.project(ada, { label: name, products: ['project', 'edges'] })
  await given.edge(projectId, { label: name, offlineFor: 120 })
  const opened = await openConsole(server, { as: ada })
  const { page } = opened
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/')
    const problem = main(opened).getByRole('list', { name: 'Problems' }).getByRole('listitem')
    await expectPage(problem).toContainText('is offline')
    const subject = problem.getByText(name.slice(0, 20)).first()
    expect(await subject.evaluate((element) => getComputedStyle(element).unicodeBidi)).toBe('isolate')
    expect(await page.evaluate(isTooWide)).toBe(false)

    await page.goto('/projects')
    await expectPage(main(opened).getByText(name.slice(0, 20)).first()).toBeVisible()
    expect(await page.evaluate(isTooWide)).toBe(false)
    await page.keyboard.press('p')
    await expectPage(page.getByRole('option', { name: name.slice(0, 20) })).toBeVisible()
    expect(await page.evaluate(isTooWide)).toBe(false)
    await page.keyboard.press('Escape')
  }
})

test('home shows a short list for a fleet with 10,000 tags', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, { label: 'Messe', products: ['project', 'edges'] })
  for (let edge = 0; edge < 100; edge += 1)
    await given.edge(projectId, {
      label: `Edge ${edge}`,
      tags: Array.from({ length: 100 }, (_, tag) => `t${edge}-${tag}`),
      offlineFor: 120,
    })
  const opened = await openConsole(server, { as: ada })
  const fleet = main(opened).getByRole('region', { name: 'Fleet' })
  await expectPage(fleet).toContainText('100 offline')
  expect(await fleet.getByRole('listitem').count()).toBeLessThan(30)
})

test('the activity of a deleted account stays, without its name', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, { label: 'Messe' })
  await sql`
    insert into audit (id, event, result, actor_id, target, project_id, detail)
    values (${uuidv7()}, 'project.changed', 'success', ${uuidv7()}, ${projectId}, ${projectId}, '{"label": "Messe"}')`.execute(
    db,
  )
  const opened = await openConsole(server, { as: ada })
  await expectPage(main(opened).getByText('A deleted account')).toBeVisible()
})

test('a browser clock a day ahead is reported, and home calculates times by the server’s clock', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, { label: 'Messe', products: ['project', 'edges'] })
  await given.edge(projectId, { label: 'Gate', offlineFor: 120 })
  const opened = await openConsole(server, { as: ada, path: null })
  await opened.page.clock.install({ time: Date.now() + 86_400_000 })
  await opened.page.goto('/')
  await expectPage(opened.page.getByRole('banner').getByRole('status')).toContainText(
    /This computer’s clock is 2[34]\Wh ahead/,
  )
  await expectPage(main(opened).getByText(/is offline · 2\Wh/)).toBeVisible()
})

test('DEC-48 home, the overview and the switcher work in a browser that reports offline', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, { label: 'Messe', products: ['project', 'edges'] })
  await given.edge(projectId, { label: 'Gate', offlineFor: 120 })
  const opened = await openConsole(server, { as: ada, path: null })
  const { page } = opened
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'onLine', { get: () => false })
    addEventListener('load', () => dispatchEvent(new Event('offline')))
  })
  await page.goto('/')
  await expectPage(main(opened).getByText(/is offline/)).toBeVisible()
  await page.goto('/projects')
  await expectPage(main(opened).getByText('1 problem').first()).toBeVisible()
  await page.keyboard.press('p')
  await expectPage(page.getByRole('option', { name: /Messe/ })).toBeVisible()
  await expectPage(page.getByRole('banner').getByRole('status')).toBeEmpty()
})
