import { edgeEndpoints, projectEndpoints, taskEndpoints } from '@pult/contract'
import { expectPage, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { givenDesk } from './testing/given-desk.ts'

const server = await testServer({ withConsole: true })
const { given } = server
const desk = givenDesk(server)

const withEdges = { label: 'Messe', products: ['project', 'edges'] }
const phone = { width: 390, height: 844 }

const main = ({ page }: OpenedConsole) => page.getByRole('main')
const problems = (opened: OpenedConsole) =>
  main(opened).getByRole('list', { name: 'Problems' }).getByRole('listitem')

test('an action of a problem runs once, and its row shows that it is in progress', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  await desk.failedTask(projectId, { title: 'Import', by: ada })
  const opened = await openConsole(server, { as: ada })
  let calls = 0
  let goOn = () => {}
  await opened.page.route(/\/tasks\/[^/]+$/, async (route) => {
    calls += 1
    await new Promise<void>((resolve) => {
      goOn = resolve
    })
    await route.continue()
  })
  const row = problems(opened).first()
  const archive = row.getByRole('button', { name: 'Archive' })
  await archive.click()
  await expectPage(archive).toHaveAttribute('aria-disabled', 'true')
  await expectPage(row).toContainText('Archive …')
  await archive.click({ force: true })
  await expect.poll(() => calls).toBe(1)
  goOn()
  await expectPage(problems(opened)).toHaveCount(0)
  expect(calls).toBe(1)
})

test('the head of the problems has the colour of the worst one', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  const { body } = await ada.call(projectEndpoints.invite, {
    params: { projectId },
    body: { email: 'kai@example.org', productRole: 'edges/viewer' },
  })
  await sql`update token_link set expires_at = now() + interval '2 hours' where id = ${body.invitation._id}`.execute(
    server.db,
  )
  const opened = await openConsole(server, { as: ada })
  const head = main(opened).locator('section > header', { hasText: /problem/ })
  const expectGround = (color: string) => expectPage(head).toHaveCSS('background-color', color)
  await expectGround('rgba(0, 0, 0, 0)')
  await desk.edge(projectId, { label: 'Crane', state: 'trouble' })
  await opened.page.reload()
  await expectGround('rgb(255, 241, 217)')
  await desk.edge(projectId, { label: 'Gate' })
  await opened.page.reload()
  await expectGround('rgb(253, 232, 232)')
})

test('archiving a problem moves the focus to the next row, where a press that follows immediately does nothing, and archiving the last one to the heading', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  await desk.failedTask(projectId, { title: 'First', by: ada, minutes: 60 })
  await desk.failedTask(projectId, { title: 'Second', by: ada, minutes: 30 })
  const opened = await openConsole(server, { as: ada })
  const { page } = opened
  let archived = 0
  page.on('request', (request) => {
    if (request.method() === 'DELETE') archived += 1
  })
  await problems(opened).first().getByRole('button', { name: 'Archive' }).focus()
  // A press is never faster than one by the page itself.
  await page.evaluate(() =>
    addEventListener('focusin', ({ target }) => (target as HTMLElement).click(), { once: true }),
  )
  await page.keyboard.press('Enter')
  await expectPage(problems(opened)).toHaveCount(1)
  await expectPage(problems(opened).first().getByRole('button', { name: 'Archive' })).toBeFocused()
  expect(archived).toBe(1)
  const pressed = async () => {
    await page.keyboard.press('Enter')
    return problems(opened).count()
  }
  await expect.poll(pressed).toBe(0)
  await expectPage(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('archiving a problem moves the focus to the link of a next row without this action', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  await desk.failedTask(projectId, { title: 'Import', by: ada, minutes: 60 })
  await desk.edge(projectId, { label: 'Gate' })
  const opened = await openConsole(server, { as: ada })
  const row = problems(opened).filter({ hasText: 'Import' })
  await row.getByRole('button', { name: 'Archive' }).press('Enter')
  await expectPage(problems(opened)).toHaveText([/Gate/])
  await expectPage(problems(opened).getByRole('link', { name: 'Gate' })).toBeFocused()
})

test('GoogleChrome/lighthouse#9155 a log is printed whole', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  await desk.failedTask(projectId, { title: 'Import', by: ada })
  const opened = await openConsole(server, { as: ada })
  await problems(opened).getByRole('button', { name: 'Show log' }).click()
  const log = opened.page.getByRole('dialog').locator('pre')
  await expectPage(log).not.toHaveCSS('max-height', 'none')
  await opened.page.emulateMedia({ media: 'print' })
  await expectPage(log).toHaveCSS('max-height', 'none')
  await expectPage(log).toHaveCSS('overflow', 'visible')
  await opened.page.emulateMedia({ media: null })
})

/** Records each row that slides in or folds up, from the start of the page. */
const noteMotion = `
  window.moved = []
  new MutationObserver(() => {
    for (const row of document.querySelectorAll('main li:is([data-new], [data-leaving])')) {
      const what = [row.dataset.new ? 'new' : 'leaves', row.querySelector('b, a').textContent, row.inert].join(' ')
      if (!window.moved.includes(what)) window.moved.push(what)
    }
  }).observe(document, { subtree: true, childList: true, attributes: true })`

test('a solved problem ticks and folds, and a new one slides in; neither does under reduced motion or at the start', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  const params = { projectId, taskId: await desk.failedTask(projectId, { title: 'First', by: ada }) }
  await desk.failedTask(projectId, { title: 'Second', by: ada })
  const opened = await openConsole(server, { as: ada, path: null, reducedMotion: false })
  const still = await openConsole(server, { as: ada, path: null })
  for (const { page } of [opened, still]) {
    await page.addInitScript(noteMotion)
    await page.goto('/')
  }
  for (const each of [opened, still]) await expectPage(problems(each)).toHaveCount(2)
  const movedIn = ({ page }: OpenedConsole) => page.evaluate('window.moved')
  expect(await movedIn(opened)).toEqual([])

  expect(await ada.call(taskEndpoints.archive, { params })).toSucceed()
  await expect.poll(() => movedIn(opened)).toEqual(['leaves First true'])
  await expectPage(main(opened).locator('li[data-leaving]')).toHaveCount(0)
  await expectPage(problems(opened)).toHaveText([/Second/])

  await desk.edge(projectId, { label: 'Gate' })
  // Its event makes home refetch.
  await ada.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Crane' } })
  await expect.poll(() => movedIn(opened)).toEqual(['leaves First true', 'new Gate false'])
  await expectPage(problems(still)).toHaveText([/Gate/, /Second/])
  expect(await movedIn(still)).toEqual([])
})

test('problems beyond fifty are counted and lead to their list', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  await Promise.all(
    Array.from({ length: 52 }, (_task, index) =>
      desk.failedTask(projectId, { title: `Import ${index}`, by: ada }),
    ),
  )
  const opened = await openConsole(server, { as: ada })
  const card = main(opened).getByRole('region', { name: '52 problems' })
  await card.getByRole('button', { name: '47 more' }).click()
  await expectPage(problems(opened)).toHaveCount(50)
  await expectPage(card.getByRole('link', { name: '2 more' })).toHaveAttribute(
    'href',
    /^\/tasks\?state=failed/,
  )
})

test('a phone shows the first problem at the top, in two lines, with a menu', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, withEdges)
  await desk.edge(projectId, { label: 'Gate', state: 'online' })
  await desk.failedTask(projectId, { title: 'Import', by: ada })
  const opened = await openConsole(server, { as: ada, viewport: phone })
  const row = problems(opened).first()
  const subject = row.getByText('Import', { exact: true })
  await expectPage(subject).toBeVisible()
  await expectPage(main(opened).getByRole('link', { name: 'Add an edge' })).toBeVisible()
  const { y = 999, height = 0 } = (await subject.boundingBox()) ?? {}
  expect(y + height).toBeLessThanOrEqual(200)
  await expectPage(opened.page.getByRole('heading', { level: 1, name: 'Messe' })).toHaveCount(1)
  await expectPage(main(opened).getByText('You are the owner')).toBeHidden()
  const why = row.getByText('Row 18 is empty')
  await expectPage(why).toHaveCSS('white-space', 'nowrap')

  await row.getByRole('button', { name: 'Actions for Import' }).click()
  await opened.page.getByRole('menuitem', { name: 'Archive' }).click()
  await expectPage(problems(opened)).toHaveCount(0)
  await expectPage(main(opened).getByText('All well')).toBeVisible()
})
