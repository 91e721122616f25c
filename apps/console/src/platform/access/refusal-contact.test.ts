import { expectPage, openConsole, testServer } from '@pult/testkit'
import { test } from 'vitest'

test.each([undefined, 'mailto:help@example.org'])(
  'DEC-19 a refusal offers Contact only if the operator has set its address: %s',
  async (url) => {
    const settings = url === undefined ? {} : { CONTACT_URL: url }
    const server = await testServer({ withConsole: true, settings })
    const ada = await server.given.person()
    await server.given.project(ada, { label: 'Hall 7' })
    const { page } = await openConsole(server, { as: ada, path: '/root' })
    const refusal = page.getByRole('main').getByRole('alert')
    await expectPage(refusal).toContainText('Ask the people who administer this installation.')
    // The navigation has the address once the settings have loaded.
    await expectPage(page.getByRole('navigation').getByRole('link', { name: 'Contact' })).toHaveAttribute(
      'href',
      url ?? '/contact',
    )
    const contact = refusal.getByRole('link', { name: 'Contact' })
    if (url === undefined) await expectPage(contact).toHaveCount(0)
    else await expectPage(contact).toHaveAttribute('href', url)
  },
)
