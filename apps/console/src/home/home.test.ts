import { projectEndpoints } from '@pult/contract'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

describe('home', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  test('HOME-01 DEC-19 reports that no project is selected and links to its creation; the notice about a missing app does not mention a project', async () => {
    const { page } = await openConsole(server, { as: await given.person(), path: '/app/hello' })
    await expectPage(page.getByText('You do not have access to hello.')).toBeVisible()
    await expectPage(page.getByText('Choose a project first.')).toBeVisible()
    await expectPage(page.getByRole('heading', { level: 1, name: 'No project selected' })).toBeVisible()
    await expectPage(page.getByRole('banner')).toHaveCSS('border-top-color', 'rgba(0, 0, 0, 0)')
    await expectPage(page.getByRole('button', { name: /^Active project/ })).toHaveCount(0)
    const create = page.getByRole('main').getByRole('link', { name: 'Create project' })
    await expectPage(create).toHaveAttribute('href', '/projects/create')
    await create.click()
    await expectPage(page).toHaveURL('/projects/create')
  })

  test('HOME-02 HOME-03 shows only the owner of a project without apps that none are configured', async () => {
    const ada = await given.person()
    await given.project(ada, { label: 'Messe 2026', products: [] })
    const { page } = await openConsole(server, { as: ada })
    await expectPage(page.getByRole('heading', { level: 1, name: 'Messe 2026' })).toBeVisible()
    await expectPage(page.getByText('No apps confirgured yet.', { exact: true })).toBeVisible()
    await expectPage(page.getByText('keine Apps freigeschaltet')).toHaveCount(0)
  })

  test('HOME-03 shows other users a German notice that no apps are enabled', async () => {
    await given.project(await given.person(), { label: 'Fremdes Projekt', products: [] })
    const { page } = await openConsole(server, { as: await given.person({ isRoot: true }) })
    await expectPage(page.getByText('Für dieses Projekt sind keine Apps freigeschaltet.')).toBeVisible()
    await expectPage(page.getByText('No apps confirgured yet.')).toHaveCount(0)
  })

  test('DEC-34 uses the more readable text colour on the project’s colour', async () => {
    const ada = await given.person()
    const { projectId } = await given.project(ada, { label: 'Messe', consoleColor: '#f7e36b' })
    const { page } = await openConsole(server, { as: ada })
    const regions = [page.getByRole('button', { name: /^Active project/ }), page.getByRole('main')]
    const expectText = async (color: string) => {
      for (const region of regions)
        await expectPage(region.getByText('M', { exact: true })).toHaveCSS('color', color)
    }
    await expectText('rgb(0, 0, 0)')
    const body = { config: { consoleColor: '#123456' } }
    expect(await ada.call(projectEndpoints.update, { params: { projectId }, body })).toSucceed()
    await expectText('rgb(255, 255, 255)')
  })
})
