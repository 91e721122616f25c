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

  test('MAIL-01 MAIL-04 MAIL-05 MAIL-06 MAIL-11 lists the default address first, offers each other one its actions, and asks before another becomes the default', async () => {
    const ada = await given.person({ email: 'zoe@example.org' })
    const [unverified, verified] = [await addAddress(ada, false), await addAddress(ada, true)]
    const opened = await open(ada)
    await expectPage(rows(opened)).toHaveCount(3)
    await expectPage(rows(opened).first()).toContainText(/zoe@example\.org.*Default/)
    await expectPage(rows(opened).first().getByRole('button')).toHaveCount(0)
    await expectPage(row(opened, verified).getByRole('button')).toHaveCount(1)

    await openMenu(opened, unverified)
    await expectPage(opened.page.getByRole('menuitem')).toHaveText(['Check your inbox', 'Remove'])
    await opened.page.keyboard.press('Escape')
    await openMenu(opened, verified)
    await expectPage(opened.page.getByRole('menuitem')).toHaveText(['Use as default', 'Remove'])
    await opened.page.keyboard.press('Escape')

    await openMenu(opened, verified)
    await item(opened, 'Use as default').click()
    const dialog = opened.page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect((await ada.call(meEndpoints.read)).body.email).toBe(ada.email)

    await openMenu(opened, verified)
    await item(opened, 'Use as default').click()
    const listed = opened.page.waitForRequest(
      (request) => request.method() === 'GET' && request.url().endsWith('/api/me/account/emails'),
    )
    await dialog.getByRole('button', { name: 'Use as default' }).click()
    await listed
    await expectPage(rows(opened).first()).toContainText(verified)
    await expectPage(opened.page.getByRole('banner')).toContainText(verified)
  })

  test('MAIL-02 MAIL-03 MAIL-09 DEC-07 RULE-15 explains a rejected address, and adds one that is unverified until its link is opened; step-up authentication happens in place', async () => {
    const ada = await given.person()
    const opened = await open(ada)
    await expectPage(add(opened)).toBeDisabled()
    await field(opened).fill('   ')
    await expectPage(add(opened)).toBeDisabled()

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
    await expectPage(field(opened)).toHaveAccessibleDescription('You have already added this address')
    await expectPage(field(opened)).toBeFocused()

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
    await expectPage(row(opened, email)).toContainText(/Verified (vor|jetzt)/)
    await expectPage(row(opened, email).locator('time')).toHaveAttribute('title', /\d\d:\d\d:\d\d/)
    expect(opened.complaints).toEqual([])

    await ada.forgetSignIn()
    const other = newAddress()
    await field(opened).fill(other)
    await add(opened).click()
    const dialog = opened.page.getByRole('dialog')
    await dialog.getByLabel('Password', { exact: true }).fill(ada.password)
    await opened.page.keyboard.press('Enter')
    await expectPage(row(opened, other)).toHaveCount(1)
  })

  test('DEC-30 leaving asks before it discards a typed address, but not after it is added', async () => {
    const opened = await open(await given.person())
    const question = opened.page.getByRole('alertdialog', { name: 'Leave without saving?' })
    const otp = opened.page
      .getByRole('navigation', { name: 'Account' })
      .getByRole('link', { name: 'OTP', exact: true })
    const email = newAddress()
    await field(opened).fill(email)
    await otp.click()
    await question.getByRole('button', { name: 'Stay' }).click()
    await expectPage(field(opened)).toHaveValue(email)
    await add(opened).click()
    await expectPage(row(opened, email)).toHaveCount(1)
    server.watchSecret((await mailbox.take(email)).link.split('/').at(-1) ?? '')
    await expectPage(field(opened)).toHaveValue('')
    await otp.click()
    await expectPage(opened.page).toHaveURL('/me/otp')
    await expectPage(question).toHaveCount(0)
  })

  test('MAIL-06 MAIL-07 MAIL-08 sends the verification again after 30 s, then waits another 30 s, and asks before it removes the address', async () => {
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
    // The wait for the next mail ends while the menu is open.
    await item(opened, 'Resend verification').click()
    await expectPage(opened.page.getByText('Confirmation E-Mail sent')).toBeVisible()
    await expectPage(opened.page.getByText('Please check your inbox')).toBeVisible()
    await mailbox.take(email)
    await openMenu(opened, email)
    await expectPage(item(opened, 'Check your inbox')).toHaveAttribute('aria-disabled', 'true')
    await opened.page.keyboard.press('Escape')

    // A dialog that closes slowly is still mounted when the row disappears.
    await opened.page.emulateMedia({ reducedMotion: 'no-preference' })
    await openMenu(opened, email)
    await item(opened, 'Remove').click()
    // A notification also has the dialog role.
    const remove = opened.page.getByRole('button', { name: 'Remove', exact: true })
    const dialog = opened.page.getByRole('alertdialog').filter({ has: remove })
    await expectPage(dialog).toContainText(email)
    await opened.page.keyboard.press('Escape')
    await expectPage(row(opened, email)).toHaveCount(1)

    await openMenu(opened, email)
    await item(opened, 'Remove').click()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await expectPage(row(opened, email)).toHaveCount(0)
    await expectPage(opened.page.getByText('E-mail address removed')).toBeVisible()
    // The focused button was removed with its row.
    await expectPage(opened.page.locator('section:focus')).toContainText(ada.email)
    expect((await ada.call(emailEndpoints.list)).body.total).toBe(1)
  })

  test('DEC-12 MAIL-05 a default address that no mail has confirmed is shown as not verified, and its mail can be sent without a menu', async () => {
    const ada = await given.person()
    const verified = await addAddress(ada, true)
    await server.db.updateTable('email').set({ verified_at: null }).where('email', '=', ada.email).execute()
    const opened = await open(ada)
    await expectPage(row(opened, ada.email)).toContainText('Default · Not verified')
    await expectPage(row(opened, ada.email)).toContainText('Added')
    await expectPage(row(opened, verified)).not.toContainText('Not verified')
    await opened.expectAccessibleInLooks()
    await row(opened, ada.email).getByRole('button', { name: 'Resend verification' }).click()
    await expectPage(opened.page.getByText('Confirmation E-Mail sent')).toBeVisible()
    const waiting = row(opened, ada.email).getByRole('button', { name: 'Check your inbox' })
    await expectPage(waiting).toHaveAttribute('aria-disabled', 'true')
    await expectPage(waiting).toBeFocused()

    const { link } = await mailbox.take(ada.email, /bestätigen/)
    server.watchSecret(link.split('/').at(-1) ?? '')
    const tab = await openConsole(server, { sameBrowserAs: opened, path: new URL(link).pathname })
    await expectPage(tab.page.getByRole('heading', { name: 'E-mail verified' })).toBeVisible()
    await opened.page.reload()
    await expectPage(row(opened, ada.email)).toContainText(/Verified.*Default$/)
    await expectPage(row(opened, ada.email).getByRole('button')).toHaveCount(0)
    expect(opened.complaints).toEqual([])
  })

  test('MAIL-01 MAIL-02 accessible in each theme and width', async () => {
    const ada = await given.person({ email: `${'ada'.repeat(15)}${++count}@example.org` })
    const email = await addAddress(ada, false)
    const opened = await open(ada)
    await expectPage(row(opened, email)).toBeVisible()
    await opened.expectAccessibleInLooks()
    await openMenu(opened, email)
    await item(opened, 'Remove').click()
    await expectPage(opened.page.getByRole('alertdialog')).toBeVisible()
    await opened.expectAccessibleInLooks()
    expect(opened.complaints).toEqual([])
  })
})
