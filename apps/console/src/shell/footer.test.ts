import { systemEndpoints } from '@pult/contract'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, test } from 'vitest'

describe('the footer', async () => {
  const server = await testServer({ withConsole: true })

  test('BUILD-01 shows version, time and commit of the same build as the server', async () => {
    const { body } = await server.call(systemEndpoints.build)
    const { page } = await openConsole(server, { as: await server.given.person() })
    const footer = page.getByRole('contentinfo')
    await expectPage(footer).toContainText('Version 2.4.0')
    await expectPage(footer.locator('time')).toHaveAttribute('datetime', body.timestamp)
    await expectPage(footer.locator('time')).toHaveText(/^\d\d\.\d\d\.\d{4} - \d\d:\d\d:\d\d$/)
    await expectPage(footer.locator('code')).toHaveText(body.commit)
  })
})
