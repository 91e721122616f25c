import { projectEndpoints } from '@pult/contract'
import { expectPage, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })

const card = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'First steps' })
const step = (opened: OpenedConsole, name: string) =>
  card(opened).getByRole('listitem').filter({ hasText: name })

test('root sees the first steps on home; completed ones are marked, and root can hide them and restore them in Device settings', async () => {
  const root = await server.given.person({ isRoot: true, firstname: 'Rosa', lastname: 'Root' })
  const opened = await openConsole(server, { as: root })
  const { page } = opened
  await expectPage(page.getByRole('heading', { level: 1, name: /^Good .+, Rosa$/ })).toBeVisible()
  await expectPage(page.getByRole('heading', { level: 2, name: 'No project selected' })).toBeVisible()
  await expectPage(step(opened, 'Create your account').getByRole('img', { name: 'Done' })).toBeVisible()
  await expectPage(step(opened, 'Create your first project').getByRole('link')).toHaveAttribute(
    'href',
    '/projects/create',
  )
  // Adding an edge requires a project that uses edges.
  await expectPage(step(opened, 'Add your first edge').getByRole('link')).toHaveCount(0)
  await expectPage(card(opened).getByRole('progressbar')).toHaveJSProperty('value', 1)
  await opened.expectAccessible()

  const { body: project } = await root.call(projectEndpoints.create, {
    body: { label: 'Hafen', products: ['edges'] },
  })
  await expectPage(page.getByRole('heading', { level: 1, name: 'Hafen' })).toBeVisible()
  await expectPage(card(opened).getByRole('listitem')).toHaveCount(1)
  await expectPage(step(opened, 'Add your first edge').getByRole('link')).toHaveAttribute(
    'href',
    `/app/edges/create?project=${project._id}`,
  )
  await card(opened).getByRole('button', { name: 'All steps' }).click()
  await expectPage(step(opened, 'Create your first project').getByText('Hafen')).toBeVisible()
  await opened.expectAccessible()

  await card(opened).getByRole('button', { name: 'Hide' }).click()
  await expectPage(card(opened)).toHaveCount(0)
  const other = await openConsole(server, { as: await server.given.person({ isRoot: true }) })
  await expectPage(card(other)).toBeVisible()

  await page.goto('/settings/appearance')
  await page.getByRole('radio', { name: 'Shown' }).click({ force: true })
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).first().click()
  await expectPage(card(opened)).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('in German and 320 px wide, home truncates none of its buttons', async () => {
  const [root, owner] = [await server.given.person({ isRoot: true }), await server.given.person()]
  for (const as of [root, owner]) {
    await server.given.project(as, { products: ['edges'], label: 'Hafen' })
    const { page } = await openConsole(server, { as, path: null })
    await page.addInitScript(() => localStorage.setItem('pult.locale', 'de-DE'))
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto('/')
    const hide = as === root ? 'Ausblenden' : 'Jetzt nicht'
    await expectPage(page.getByRole('button', { name: hide })).toBeVisible()
    const outside = () =>
      page.getByRole('main').evaluate((main) =>
        [...main.querySelectorAll('button')]
          .filter((button) => {
            const edge = button.closest('section')?.getBoundingClientRect().right ?? innerWidth
            return button.getBoundingClientRect().right > Math.min(edge, innerWidth)
          })
          .map(({ textContent }) => textContent),
      )
    await expect.poll(outside).toEqual([])
  }
})

test('ROLE-02 only root sees the first steps, and only root’s browser requests them', async () => {
  await server.given.person({ isRoot: true })
  const opened = await openConsole(server, { as: await server.given.person(), path: null })
  const paths: string[] = []
  opened.page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await opened.page.goto('/')
  await expectPage(opened.page.getByRole('heading', { level: 1, name: 'No project selected' })).toBeVisible()
  await expectPage(card(opened)).toHaveCount(0)
  await opened.page.goto('/settings/appearance')
  await expectPage(opened.page.getByRole('radio', { name: 'Compact' })).toBeVisible()
  await expectPage(opened.page.getByRole('radio', { name: 'Shown' })).toHaveCount(0)
  expect(paths.filter((path) => path.includes('first-steps'))).toEqual([])
})
