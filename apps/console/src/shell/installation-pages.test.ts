import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, test } from 'vitest'

describe('Contact, Privacy and Imprint', async () => {
  const server = await testServer({
    withConsole: true,
    settings: { CONTACT_URL: 'mailto:help@example.org', PRIVACY_URL: 'https://example.org/privacy' },
  })
  const { given } = server

  test('DEC-36 lead to the configured addresses, as do their pages', async () => {
    const { page } = await openConsole(server, { as: await given.person() })
    const navigation = page.getByRole('navigation')
    const contact = navigation.getByRole('link', { name: 'Contact' })
    await expectPage(contact).toHaveAttribute('href', 'mailto:help@example.org')
    await expectPage(contact).not.toHaveAttribute('target')
    const privacy = navigation.getByRole('link', { name: 'Privacy' })
    await expectPage(privacy).toHaveAttribute('href', 'https://example.org/privacy')
    await expectPage(privacy).toHaveAttribute('target', '_blank')
    await expectPage(privacy).toHaveAttribute('rel', 'noreferrer')
    await page.goto('/privacy')
    await expectPage(page.getByRole('main').getByRole('link', { name: 'Open Privacy' })).toHaveAttribute(
      'href',
      'https://example.org/privacy',
    )
  })

  test('DEC-36 without an address lead to a page that names the contact, and shows root how to set it', async () => {
    for (const isRoot of [false, true]) {
      const { page } = await openConsole(server, { as: await given.person({ isRoot }) })
      await page.getByRole('navigation').getByRole('link', { name: 'Imprint' }).click()
      await expectPage(page).toHaveURL('/imprint')
      const main = page.getByRole('main')
      await expectPage(main.getByRole('heading', { name: 'Imprint', level: 1 })).toBeVisible()
      await expectPage(main).toContainText('Ask the operator of localhost')
      await expectPage(main.getByText('IMPRINT_URL')).toHaveCount(isRoot ? 1 : 0)
    }
  })
})
