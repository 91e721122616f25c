import { emailEndpoints, meEndpoints } from '@pult/contract'
import {
  expectPage,
  type GivenPerson,
  type OpenedConsole,
  openConsole,
  openMailbox,
  testServer,
} from '@pult/testkit'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'

describe('the e-mails page', async () => {
  const mailbox = await openMailbox()
  const server = await testServer({ withConsole: true, settings: { SMTP_URL: mailbox.url } })
  const { given } = server
  let count = 0

  const newAddress = () => `second${++count}@example.org`
  const rows = ({ page }: OpenedConsole) =>
    page.getByRole('main').getByRole('listitem').filter({ hasText: '@' })
  const row = (opened: OpenedConsole, email: string) => rows(opened).filter({ hasText: email })
  const field = ({ page }: OpenedConsole) => page.getByPlaceholder('New e-mail address')
  const add = ({ page }: OpenedConsole) => page.getByRole('button', { name: 'Add', exact: true })
  const item = ({ page }: OpenedConsole, name: string) => page.getByRole('menuitem', { name })

  const open = (person: GivenPerson, options: object = {}) =>
    openConsole(server, { as: person, path: '/me/emails', ...options })

  async function openMenu(opened: OpenedConsole, email: string) {
    await opened.page.getByRole('button', { name: `Actions for ${email}` }).click()
  }

  async function addAddress(person: GivenPerson, isVerified: boolean): Promise<string> {
    const email = newAddress()
    const { body } = await person.call(emailEndpoints.create, { body: { email } })
    const verification = await mailbox.take(email)
    server.watchSecret(verification.link.split('/').at(-1) ?? '')
    if (isVerified) {
      await server.db
        .updateTable('email')
        .set({ verified_at: sql<Date>`now()` })
        .where('id', '=', body._id)
        .execute()
    }
    return email
  }

  test('MAIL-01 MAIL-05 lists the default address first, without a menu', async () => {
    const ada = await given.person({ email: 'zoe@example.org' })
    const second = await addAddress(ada, true)
    const opened = await open(ada)
    await expectPage(rows(opened)).toHaveCount(2)
    await expectPage(rows(opened).first()).toContainText(/zoe@example\.org.*Default/)
    await expectPage(rows(opened).first().getByRole('button')).toHaveCount(0)
    await expectPage(row(opened, second).getByRole('button')).toHaveCount(1)
  })

  test('MAIL-02 MAIL-03 MAIL-09 adds an address, which is not verified until its link was opened', async () => {
    const ada = await given.person()
    const opened = await open(ada)
    await expectPage(add(opened)).toBeDisabled()
    await field(opened).fill('   ')
    await expectPage(add(opened)).toBeDisabled()
    const email = newAddress()
    await field(opened).fill(` ${email} `)
    await field(opened).press('Enter')
    await expectPage(opened.page.getByText('Please check your inbox').first()).toBeVisible()
    await expectPage(row(opened, email)).toContainText('Not verified')
    await expectPage(field(opened)).toHaveValue('')

    const { link } = await mailbox.take(email)
    server.watchSecret(link.split('/').at(-1) ?? '')
    const tab = await openConsole(server, { sameBrowserAs: opened, path: new URL(link).pathname })
    await expectPage(tab.page.getByRole('heading', { name: 'E-mail verified' })).toBeVisible()
    await opened.page.reload()
    await expectPage(row(opened, email)).toContainText(/Verified \d\d\.\d\d\.\d{4} - \d\d:\d\d:\d\d/)
    expect(opened.complaints).toEqual([])
  })

  test('MAIL-03 a refused address stays in the field, with the reason', async () => {
    const ada = await given.person()
    const opened = await open(ada)
    await field(opened).fill('ada@example.org, eve@example.org')
    await add(opened).click()
    await expectPage(opened.page.getByText('Adding new email failed')).toBeVisible()
    const notices = opened.page.getByRole('region', { name: 'Notifications' })
    await expectPage(notices.getByText('This is not a valid e-mail address')).toBeVisible()
    await expectPage(field(opened)).toHaveValue('ada@example.org, eve@example.org')
    await expectPage(field(opened)).toHaveAccessibleDescription('This is not a valid e-mail address')
    await expectPage(field(opened)).toHaveAttribute('aria-invalid', 'true')
    await expectPage(field(opened)).toBeFocused()
    await field(opened).fill(ada.email)
    await expectPage(field(opened)).not.toHaveAttribute('aria-invalid')
    await add(opened).click()
    await expectPage(field(opened)).toHaveAccessibleDescription('You have added this address already')
    await expectPage(field(opened)).toBeFocused()
  })

  test('MAIL-04 an unverified address can be verified again or removed, a verified one made default or removed', async () => {
    const ada = await given.person()
    const [unverified, verified] = [await addAddress(ada, false), await addAddress(ada, true)]
    const opened = await open(ada)
    await openMenu(opened, unverified)
    await expectPage(opened.page.getByRole('menuitem')).toHaveText(['Check your inbox', 'Remove'])
    await opened.page.keyboard.press('Escape')
    await openMenu(opened, verified)
    await expectPage(opened.page.getByRole('menuitem')).toHaveText(['Use as default', 'Remove'])
  })

  test('MAIL-07 MAIL-08 sends the verification again once 30 s have passed, and then waits again', async () => {
    const ada = await given.person()
    const email = await addAddress(ada, false)
    const opened = await open(ada)
    await openMenu(opened, email)
    await expectPage(item(opened, 'Check your inbox')).toHaveAttribute('aria-disabled', 'true')
    await opened.page.keyboard.press('Escape')

    await server.db
      .updateTable('email')
      .set({ verification_sent_at: sql<Date>`now() - interval '28 seconds'` })
      .where('email', '=', email)
      .execute()
    await opened.page.reload()
    await openMenu(opened, email)
    // The lock ends while the menu is open.
    await item(opened, 'Resend verification').click()
    await expectPage(opened.page.getByText('Confirmation E-Mail sent')).toBeVisible()
    await expectPage(opened.page.getByText('Please check your inbox')).toBeVisible()
    await mailbox.take(email)
    await openMenu(opened, email)
    await expectPage(item(opened, 'Check your inbox')).toHaveAttribute('aria-disabled', 'true')
  })

  test('MAIL-06 MAIL-11 asks before it changes the default, and loads the list and the header again', async () => {
    const ada = await given.person()
    const email = await addAddress(ada, true)
    const opened = await open(ada)
    await openMenu(opened, email)
    await item(opened, 'Use as default').click()
    const dialog = opened.page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await ada.call(meEndpoints.read)).body.email).toBe(ada.email)

    await openMenu(opened, email)
    await item(opened, 'Use as default').click()
    const listed = opened.page.waitForRequest(
      (request) => request.method() === 'GET' && request.url().endsWith('/api/me/account/emails'),
    )
    await dialog.getByRole('button', { name: 'Use as default' }).click()
    await listed
    await expectPage(rows(opened).first()).toContainText(email)
    await expectPage(opened.page.getByRole('banner')).toContainText(email)
  })

  test('MAIL-06 asks before it removes an address', async () => {
    const ada = await given.person()
    const email = await addAddress(ada, false)
    // A question that leaves slowly is still there when the row goes.
    const opened = await open(ada, { reducedMotion: false })
    await openMenu(opened, email)
    await item(opened, 'Remove').click()
    const dialog = opened.page.getByRole('alertdialog')
    await expectPage(dialog).toContainText(email)
    await opened.page.keyboard.press('Escape')
    await expectPage(row(opened, email)).toHaveCount(1)

    await openMenu(opened, email)
    await item(opened, 'Remove').click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expectPage(row(opened, email)).toHaveCount(0)
    await expectPage(opened.page.getByText('E-mail address removed')).toBeVisible()
    // The button that had the focus went with its row.
    await expectPage(opened.page.locator('section:focus')).toContainText(ada.email)
    expect((await ada.call(emailEndpoints.list)).body.total).toBe(1)
  })

  test('DEC-07 RULE-15 an old sign-in is confirmed in place, and the address goes on to be added', async () => {
    const ada = await given.person()
    await ada.forgetSignIn()
    const opened = await open(ada)
    const email = newAddress()
    await field(opened).fill(email)
    await add(opened).click()
    const dialog = opened.page.getByRole('dialog')
    await dialog.getByLabel('Password', { exact: true }).fill(ada.password)
    await opened.page.keyboard.press('Enter')
    await expectPage(row(opened, email)).toHaveCount(1)
  })

  for (const theme of ['light', 'dark'] as const) {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      test(`MAIL-01 MAIL-02 accessible, ${theme}, ${viewport.width} px`, async () => {
        const ada = await given.person({ email: `${'ada'.repeat(15)}${++count}@example.org` })
        const email = await addAddress(ada, false)
        const opened = await open(ada, { theme, viewport })
        await expectPage(row(opened, email)).toBeVisible()
        await opened.expectAccessible()
        expect(await opened.page.evaluate(() => document.documentElement.scrollWidth)).toBe(viewport.width)
        await openMenu(opened, email)
        await item(opened, 'Remove').click()
        await expectPage(opened.page.getByRole('alertdialog')).toBeVisible()
        await opened.expectAccessible()
        expect(opened.complaints).toEqual([])
      })
    }
  }
})
