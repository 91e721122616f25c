import { expectPage, openConsole, testServer } from '@pult/testkit'
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

test('tournesol#2013 ActivityWatch#304 with blocked site data, a project switch keeps session and language, and one notice names the limit', async () => {
  const ada = await given.person()
  await given.project(ada, { label: 'Messe' })
  await given.project(ada, { label: 'Museum' })
  const { page, complaints } = await openConsole(server, { path: null })
  await page.addInitScript(blockSiteData)
  await page.goto('/')
  await page.getByRole('link', { name: 'English' }).click()
  await expectPage(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await page.getByRole('textbox').fill(ada.email)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Password' }).click()
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.keyboard.press('Enter')
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
