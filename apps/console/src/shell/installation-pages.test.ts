import { expectPage, openConsole, testServer } from '@pult/testkit'
import { describe, test } from 'vitest'

describe('Contact, Privacy and Imprint', async () => {
  const server = await testServer({
    withConsole: true,
    settings: { CONTACT_URL: 'mailto:help@example.org', PRIVACY_URL: 'https://example.org/privacy' },
  })
  const { given } = server

  test('DEC-36 lead to the addresses that were set', async () => {
    const { page } = await openConsole(server, { as: await given.person() })
    const navigation = page.getByRole('navigation')
    const contact = navigation.getByRole('link', { name: 'Contact' })
    await expectPage(contact).toHaveAttribute('href', 'mailto:help@example.org')
    await expectPage(contact).not.toHaveAttribute('target')
    const privacy = navigation.getByRole('link', { name: 'Privacy' })
    await expectPage(privacy).toHaveAttribute('href', 'https://example.org/privacy')
    await expectPage(privacy).toHaveAttribute('target', '_blank')
    await expectPage(privacy).toHaveAttribute('rel', 'noreferrer')
  })

  test('DEC-36 unset ones lead to a page that says who to ask, and root how to set them', async () => {
    for (const isRoot of [false, true]) {
      const { page } = await openConsole(server, { as: await given.person({ isRoot }) })
      await page.getByRole('navigation').getByRole('link', { name: 'Imprint' }).click()
      await expectPage(page).toHaveURL('/imprint')
      const main = page.getByRole('main')
      await expectPage(main.getByRole('heading', { name: 'Imprint', level: 1 })).toBeVisible()
      await expectPage(main).toContainText('Please ask the people who run localhost')
      await expectPage(main.getByText('IMPRINT_URL')).toHaveCount(isRoot ? 1 : 0)
    }
  })

  test('DEC-36 the page of one that is set leads on to it', async () => {
    const { page } = await openConsole(server, { as: await given.person(), path: '/privacy' })
    await expectPage(page.getByRole('main').getByRole('link', { name: 'Open Privacy' })).toHaveAttribute(
      'href',
      'https://example.org/privacy',
    )
  })
})
