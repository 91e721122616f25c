import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, test } from 'vitest'

describe('home', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  test('HOME-01 says that no project is selected and leads to where one is created', async () => {
    const { page } = await openConsole(server, { as: await given.person() })
    await expectPage(page.getByRole('heading', { level: 1, name: 'No project selected' })).toBeVisible()
    const create = page.getByRole('main').getByRole('link', { name: 'Create project' })
    await expectPage(create).toHaveAttribute('href', '/projects/create')
    await create.click()
    await expectPage(page).toHaveURL('/projects/create')
  })

  test('DEC-19 the notice about an app that is not there speaks of no project where there is none', async () => {
    const { page } = await openConsole(server, { as: await given.person(), path: '/app/hello' })
    await expectPage(page.getByRole('heading', { level: 1, name: 'No project selected' })).toBeVisible()
    await expectPage(page.getByText('There is no app hello for you.')).toBeVisible()
  })

  test('HOME-02 HOME-03 tells the owner of a project without apps that none are configured, and nobody else', async () => {
    const ada = await given.person()
    await given.project(ada, { label: 'Messe 2026', products: [] })
    const { page } = await openConsole(server, { as: ada })
    await expectPage(page.getByRole('heading', { level: 1, name: 'Messe 2026' })).toBeVisible()
    await expectPage(page.getByText('No apps confirgured yet.', { exact: true })).toBeVisible()
    await expectPage(page.getByText('keine Apps freigeschaltet')).toHaveCount(0)
  })

  test('HOME-03 tells others in German that no apps are enabled', async () => {
    await given.project(await given.person(), { label: 'Fremdes Projekt', products: [] })
    const { page } = await openConsole(server, { as: await given.person({ isRoot: true }) })
    await expectPage(page.getByText('Für dieses Projekt sind keine Apps freigeschaltet.')).toBeVisible()
    await expectPage(page.getByText('No apps confirgured yet.')).toHaveCount(0)
  })

  test('DEC-34 writes on the project’s colour in the text colour that reads better', async () => {
    for (const { consoleColor, text } of [
      { consoleColor: '#f7e36b', text: 'rgb(0, 0, 0)' },
      { consoleColor: '#123456', text: 'rgb(255, 255, 255)' },
    ]) {
      const ada = await given.person()
      await given.project(ada, { label: 'Messe', consoleColor })
      const { page } = await openConsole(server, { as: ada })
      for (const region of [page.getByRole('banner'), page.getByRole('main')]) {
        await expectPage(region.getByText('M', { exact: true })).toHaveCSS('color', text)
      }
    }
  })
})
