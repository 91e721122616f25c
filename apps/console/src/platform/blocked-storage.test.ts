import { projectEndpoints } from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server

/** What browsers do when the user blocks site data. */
function blockSiteData(): void {
  const blocked = () => new DOMException('Access is denied for this document.', 'SecurityError')
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
    Object.defineProperty(globalThis, name, {
      get: () => {
        throw blocked()
      },
    })
  const reject = () => Promise.reject(blocked())
  Object.defineProperty(navigator, 'locks', { value: { request: reject, query: reject } })
}

/** Signs in on the page, because the browser stores no session. */
async function signIn({ page }: OpenedConsole, { email, password }: GivenPerson): Promise<void> {
  await page.getByRole('link', { name: 'English' }).click()
  await expectPage(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByRole('textbox').fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Password' }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}

test('tournesol#2013 ActivityWatch#304 with blocked site data, a project switch keeps session and language, and one notice names the limit', async () => {
  const ada = await given.person()
  await given.project(ada, { label: 'Messe' })
  await given.project(ada, { label: 'Museum' })
  const opened = await openConsole(server, { path: null })
  const { page, complaints } = opened
  await page.addInitScript(blockSiteData)
  await page.goto('/')
  await signIn(opened, ada)
  const notice = page.getByText('Your browser blocks site data')
  await expectPage(notice).toBeVisible()

  const switcher = page.getByRole('button', { name: /^Active project/ })
  for (const label of ['Museum', 'Messe']) {
    await switcher.click()
    await page.getByRole('combobox', { name: 'Find a project' }).fill(label)
    await expectPage(page.getByRole('listbox').getByRole('option')).toHaveCount(1)
    await page.keyboard.press('Enter')
    await expectPage(switcher).toHaveAccessibleName(`Active project: ${label}`)
    await expectPage(page.getByRole('heading', { level: 1, name: label })).toBeVisible()
    await expectPage(page.locator('html')).toHaveAttribute('lang', 'en')
    await expectPage(notice).toHaveCount(0)
    // The token must not stay in the history.
    expect(await page.evaluate(() => JSON.stringify(history.state))).not.toContain('pult')
  }
  expect(complaints).toEqual([])
})

test('tournesol#2013 values that a full storage rejects are kept, and reach the next document', async () => {
  const ada = await given.person()
  await given.project(ada, { label: 'Messe' })
  await given.project(ada, { label: 'Museum' })
  const { page } = await openConsole(server, { as: { token: await ada.openSession() }, path: null })
  await page.addInitScript(() => {
    if (sessionStorage.getItem('testkit') === null) return
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  })
  await page.goto('/')
  const switcher = page.getByRole('button', { name: /^Active project/ })
  await switcher.click()
  await page.getByRole('combobox', { name: 'Find a project' }).fill('Museum')
  await expectPage(page.getByRole('listbox').getByRole('option')).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expectPage(switcher).toHaveAccessibleName('Active project: Museum')
})

test('tournesol#2013 with blocked site data, the user stays signed in after the deletion of a project', async () => {
  const ada = await given.person()
  const { projectId } = await given.project(ada, { label: 'Messe' })
  await given.project(ada, { label: 'Museum' })
  const opened = await openConsole(server, { path: null })
  const { page } = opened
  await page.addInitScript(blockSiteData)
  await page.goto('/app/project-details/settings')
  await signIn(opened, ada)
  await page.getByRole('button', { name: 'Delete project' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete Messe?' })
  await dialog.getByRole('textbox').fill('Messe')
  await dialog.getByRole('textbox').press('Enter')
  await expectPage(page.getByRole('heading', { level: 1, name: 'Museum' })).toBeVisible()
  expect(await ada.call(projectEndpoints.read, { params: { projectId } })).toFailWith('NOT_FOUND')
})

test('tournesol#2013 with blocked site data, a user who registers by a link is signed in in the console', async () => {
  const { link } = await server.app.invitations.invite({ email: 'guest@example.org', isRoot: false })
  const path = new URL(link).pathname
  server.watchSecret(path.split('/').at(-1) ?? '')
  const { page } = await openConsole(server, { path: null })
  await page.addInitScript(blockSiteData)
  await page.goto(path)
  const password = 'a moth in relay 70'
  for (const [label, value] of [
    ['Vorname', 'Grace'],
    ['Nachname', 'Hopper'],
    ['Passwort', password],
    ['Passwort bestätigen', password],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(value)
  await page.getByRole('button', { name: 'Account erstellen' }).click()
  await page.getByRole('link', { name: 'Weiter zur Konsole' }).click()
  await expectPage(page.getByRole('banner')).toBeVisible()
})

test('tournesol#2013 a storage that is full even for the session is reported as full', async () => {
  const ada = await given.person()
  await given.project(ada, { label: 'Messe' })
  const opened = await openConsole(server, { path: null })
  const { page } = opened
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  })
  await page.goto('/')
  await signIn(opened, ada)
  const notices = page.getByRole('region', { name: 'Notifications' })
  await expectPage(notices).toContainText('Your browser’s storage is full')
  await expectPage(notices).toContainText('You stay signed in until you close this page')
})
