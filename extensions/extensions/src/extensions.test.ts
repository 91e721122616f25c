import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { extensionEndpoints, extensionFailureEndpoints, rootExtensionEndpoints } from '@pult/contract'
import {
  expectPage,
  type GivenPerson,
  muteEvents,
  type OpenedConsole,
  openConsole,
  testServer,
  writeExtension,
} from '@pult/testkit'
import { expect, test } from 'vitest'

const server = await testServer({ withConsole: true })
const { given } = server
const root = await given.person({ firstname: 'Ruth', isRoot: true })

const main = ({ page }: OpenedConsole) => page.getByRole('main')
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
const question = ({ page }: OpenedConsole) => page.getByRole('alertdialog')
const dialog = ({ page }: OpenedConsole) => page.getByRole('dialog')
const button = (opened: OpenedConsole, name: string) =>
  main(opened).getByRole('button', { name, exact: true })
const row = ({ page }: OpenedConsole, name: string) =>
  page.getByRole('grid', { name: 'Extensions' }).getByRole('row').filter({ hasText: name })
const open = async (path = '/app/extensions', as?: GivenPerson) =>
  openConsole(server, { as: as ?? (await given.person({ firstname: 'Rita', isRoot: true })), path })

const rootApp = (id: string) => ({
  id,
  uuid: crypto.randomUUID(),
  label: `App of ${id}`,
  icon: 'box',
  productSku: 'root',
})
/** Puts an extension with a root app into the data folder, like an operator. */
const put = (id: string, more: object = {}) =>
  writeExtension(join(server.dataFolder, 'extensions', id), {
    manifest: { id, label: `The ${id}`, description: `What ${id} is for.`, apps: [rootApp(id)], ...more },
  })
const recordOf = async (id: string) =>
  (await root.call(rootExtensionEndpoints.list)).body.items.find((each) => each.id === id)
const offersApp = async (id: string) =>
  (await root.call(extensionEndpoints.probe)).body.some((fragment) => fragment.id === id)

test('APP-10 ROUTE-10 DEC-21 the list has bundled and installed extensions, with their errors as text', async () => {
  await put('weather')
  await put('future', { sdk: '^9.0.0' })
  const opened = await open('/root')
  await main(opened)
    .getByRole('link', { name: /^Extensions/ })
    .click()
  await expectPage(opened.page).toHaveURL('/app/extensions')
  await expectPage(row(opened, 'Project Details')).toContainText('Running')
  await expectPage(row(opened, 'Project Details')).toContainText('Bundled')
  await expectPage(row(opened, 'The weather')).toContainText('Disabled')
  await expectPage(row(opened, 'The future')).toContainText('it needs SDK ^9.0.0')
  await row(opened, 'The weather').getByRole('link').click()
  await expectPage(opened.page).toHaveURL('/app/extensions/weather')
  await expectPage(main(opened)).toContainText('App of weather')
  await expectPage(main(opened).getByRole('heading', { level: 1 })).toHaveText(['The weather'])
  await expectPage(main(opened)).toContainText('^1.0.0 (this console has 1.0.0)')
  await opened.page.goto('/app/extensions/nothing')
  await expectPage(main(opened).getByText('This extension does not exist')).toBeVisible()
  expect(opened.complaints).toEqual([])
})

test('chips with counts filter by state, column headers sort, and the address stores both', async () => {
  await put('zephyr')
  await put('gale', { sdk: '^9.0.0' })
  const opened = await open()
  const { page } = opened
  const grid = page.getByRole('grid', { name: 'Extensions' })
  const names = () => grid.getByRole('link').allTextContents()
  await expectPage(row(opened, 'The zephyr')).toBeVisible()
  await expectPage(main(opened).getByRole('button', { name: /^Not running/ })).toHaveCount(0)
  await main(opened)
    .getByRole('button', { name: /^Broken \d+$/ })
    .click()
  await expectPage(row(opened, 'The gale')).toBeVisible()
  await expectPage(row(opened, 'The zephyr')).toHaveCount(0)
  await opened.expectAccessible()
  await main(opened)
    .getByRole('button', { name: /^Broken/ })
    .click()
  await grid.getByRole('columnheader', { name: 'Extension' }).getByRole('button').click()
  await expectPage.poll(async () => (await names())[0]).toBe('The zephyr')
  await page.reload()
  await expectPage.poll(async () => (await names())[0]).toBe('The zephyr')
  await expectPage(page).toHaveURL(/sort=-label/)
  expect(opened.complaints).toEqual([])
})

test('ROLE-02 ROUTE-11 users other than root are sent home with a notice, and the server rejects the calls', async () => {
  const ada = await given.person()
  const opened = await open('/app/extensions', ada)
  await expectPage(main(opened).getByText('You cannot open this app')).toBeVisible()
  await expectPage(opened.page).toHaveURL('/')
  expect(await ada.call(rootExtensionEndpoints.list)).toFailWith('FORBIDDEN')
  const params = { name: 'hello' }
  expect(await ada.call(rootExtensionEndpoints.enable, { params, body: {} })).toFailWith('FORBIDDEN')
  expect(await ada.call(rootExtensionEndpoints.disable, { params })).toFailWith('FORBIDDEN')
})

test('DEC-20 DEC-21 root enables and disables an extension by the keyboard alone, with a trust warning', async () => {
  await put('tides')
  const opened = await open()
  const { keyboard } = opened.page
  const link = row(opened, 'The tides').getByRole('link')
  await expectPage(link).toBeVisible()
  const reach = async (locator: typeof link) => {
    for (
      let stops = 0;
      stops < 60 && !(await locator.evaluate((it) => it === document.activeElement));
      stops++
    )
      await keyboard.press('Tab')
  }
  await reach(link)
  await keyboard.press('Enter')
  const enable = main(opened).getByRole('button', { name: 'Enable', exact: true })
  await expectPage(enable).toBeVisible()
  await reach(enable)
  await keyboard.press('Enter')
  await expectPage(question(opened)).toContainText('fully trusted code')
  expect(await offersApp('tides')).toBe(false)
  await keyboard.press('Enter')
  await expectPage(notices(opened).getByText('The tides is enabled')).toBeVisible()
  await expectPage(main(opened).getByText('Running', { exact: true }).first()).toBeVisible()
  expect(await offersApp('tides')).toBe(true)

  const disable = main(opened).getByRole('button', { name: 'Disable', exact: true })
  await expectPage(disable).toBeFocused()
  await expectPage(main(opened).getByRole('definition').locator('time')).toHaveText(/^(?:jetzt|vor )/)
  await keyboard.press('Enter')
  await expectPage(question(opened).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await expectPage(notices(opened).getByText('The tides is disabled')).toBeVisible()
  expect(await offersApp('tides')).toBe(false)
  expect((await recordOf('tides'))?.isEnabled).toBe(false)
  expect(opened.complaints).toEqual([])
})

test('DEC-21 RULE-15 enabling a broken extension is rejected with the reason in the question; a change requires a recent sign-in', async () => {
  await put('sunken', { sdk: '^9.0.0' })
  const rita = await given.person({ firstname: 'Rita', isRoot: true })
  const opened = await open('/app/extensions/sunken', rita)
  await expectPage(main(opened).getByRole('alert')).toContainText('it needs SDK ^9.0.0')
  await rita.forgetSignIn()
  await button(opened, 'Enable').click()
  await question(opened).getByRole('button', { name: 'Enable' }).click()
  const proof = opened.page.getByRole('dialog', { name: 'Confirm that it is you' })
  await expectPage(proof.getByLabel('Password', { exact: true }).last()).toBeFocused()
  await opened.page.keyboard.type(rita.password)
  await opened.page.keyboard.press('Enter')
  await expectPage(question(opened).getByRole('alert')).toContainText('it needs SDK ^9.0.0')
  expect((await recordOf('sunken'))?.isEnabled).toBe(false)
})

test('RULE-53 root sees what the roles of an extension give before it runs, and the difference before an update', async () => {
  const version = (number: string, ...entries: string[]) =>
    put('tide-tables', {
      version: number,
      products: [
        {
          sku: 'tides',
          label: 'Tides',
          roles: [{ id: 'reader', label: 'Reads reports', roles: ['tables', ...entries] }],
        },
      ],
    })
  await version('1.0.0')
  const opened = await open('/app/extensions/tide-tables')
  await expectPage(main(opened)).toContainText('Tides: Reads reports')
  await button(opened, 'Enable').click()
  await expectPage(question(opened)).toContainText('Tides: Reads reports: tables (new)')
  await expectPage(question(opened)).toContainText('New products: tides')
  await expectPage(question(opened)).toContainText('By enabling it you allow these roles')
  await question(opened).getByRole('button', { name: 'Enable' }).click()
  await expectPage(notices(opened).getByText('The tide-tables is enabled')).toBeVisible()

  await version('2.0.0', 'edges:manage')
  await opened.page.reload()
  await opened.page.getByRole('button', { name: 'Enable 2.0.0' }).click()
  const roles = question(opened).getByRole('listitem').filter({ hasText: 'Reads reports' })
  await expectPage(roles).toHaveText('Tides: Reads reports: tables, edges:manage (new, of another extension)')
  await opened.expectAccessible()
  expect((await recordOf('tide-tables'))?.versions[0]?.isRunning).toBe(false)
  await question(opened).getByRole('button', { name: 'Enable' }).click()
  await expectPage(notices(opened).getByText('The tide-tables 2.0.0 is enabled')).toBeVisible()
  await expectPage(main(opened)).toContainText('tables, edges:manage (of another extension)')
  expect((await recordOf('tide-tables'))?.versions[0]?.isRunning).toBe(true)
  expect(opened.complaints).toEqual([])
})

test('root sees which part of a running version fails for users, how often, and its last message', async () => {
  await put('leak')
  expect(await root.call(rootExtensionEndpoints.enable, { params: { name: 'leak' }, body: {} })).toSucceed()
  const report = async (part: string, message: string) => {
    const ada = await given.person()
    const body = { version: '1.0.0', part, message }
    expect(await ada.call(extensionFailureEndpoints.report, { params: { name: 'leak' }, body })).toSucceed()
  }
  await report('gauge', 'no gauge')
  await report('gauge', 'no water')
  await report('search', 'no index')
  const opened = await open('/app/extensions/leak')
  const versions = main(opened).getByRole('table', { name: 'Versions' })
  await expectPage(versions).toContainText('Running')
  await expectPage(versions).toContainText('gauge failed 2 times: no water')
  await expectPage(versions).toContainText('search failed once: no index')
  await opened.expectAccessibleInLooks()
  expect(opened.complaints).toEqual([])
})

test('DEC-30 a typed address of a service stays when another user saves one, and leaving asks for confirmation', async () => {
  await put('pump', { backend: { label: 'The pump' } })
  const setUrl = (url: string) =>
    root.call(rootExtensionEndpoints.setBackend, { params: { name: 'pump' }, body: { url } })
  await setUrl('https://old.example.org')
  const opened = await open('/app/extensions/pump')
  const address = main(opened).getByLabel('Address', { exact: true })
  const list = main(opened).getByRole('link', { name: 'All extensions' })
  await address.fill('https://typed.example.org')
  await list.click()
  await question(opened).getByRole('button', { name: 'Stay' }).click()
  await expectPage(address).toHaveValue('https://typed.example.org')

  expect(await setUrl('https://other.example.org')).toSucceed()
  // The page refetches the extensions.
  await button(opened, 'Enable').click()
  await question(opened).getByRole('button', { name: 'Enable' }).click()
  await expectPage(button(opened, 'Disable')).toBeVisible()
  await expectPage(address).toHaveValue('https://typed.example.org')
  await button(opened, 'Save').click()
  await expectPage(notices(opened).getByText('Address saved')).toBeVisible()
  await list.click()
  await expectPage(opened.page).toHaveURL('/app/extensions')
  await expectPage(question(opened)).toHaveCount(0)
  expect(opened.complaints).toEqual([])
})

test('DEC-21 the form of a service asks root to allow http for an address of another machine, and for no other address', async () => {
  await put('valve', { backend: { label: 'The valve' } })
  const opened = await open('/app/extensions/valve')
  const address = main(opened).getByLabel('Address', { exact: true })
  const allow = main(opened).getByRole('checkbox', { name: 'Allow http for this address' })
  await address.fill('http://192.168.17.9:9000')
  await expectPage(allow).not.toBeChecked()
  await expectPage(main(opened)).toContainText(
    'http is not encrypted: other machines in the network can read',
  )
  await opened.expectAccessible()
  await button(opened, 'Save').click()
  await expectPage(main(opened).getByRole('alert')).toContainText('Use https, or allow http for this address')
  expect((await recordOf('valve'))?.backend).toMatchObject({ url: null })
  await allow.check()
  await button(opened, 'Save').click()
  await expectPage(notices(opened).getByText('Address saved')).toBeVisible()
  expect((await recordOf('valve'))?.backend).toMatchObject({
    url: 'http://192.168.17.9:9000',
    allowsHttp: true,
  })
  await opened.page.reload()
  await expectPage(allow).toBeChecked()

  // The consent is for one address.
  await address.fill('http://192.168.17.10:9000')
  await expectPage(allow).not.toBeChecked()
  for (const other of [
    'http://localhost:9000',
    'http://127.0.0.1',
    'http://[::1]/x',
    'https://192.168.17.9',
  ]) {
    await address.fill(other)
    await expectPage(allow).toHaveCount(0)
    await address.fill('http://127.example.org')
    await expectPage(allow).toBeVisible()
  }
  await address.fill('http://localhost:9000')
  await button(opened, 'Save').click()
  await expect
    .poll(async () => (await recordOf('valve'))?.backend)
    .toMatchObject({ url: 'http://localhost:9000', allowsHttp: false })
})

test('DEC-21 the installation dialog warns that an extension is trusted code, rejects files that are not archives before sending, sends a dropped archive unchanged, and shows why it was rejected', async () => {
  const opened = await open()
  const sent: string[] = []
  opened.page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.url())
  })
  await button(opened, 'Install an extension').click()
  await expectPage(dialog(opened).getByRole('alert')).toContainText('fully trusted code')
  await dialog(opened).getByRole('button', { name: 'Install' }).click()
  await expectPage(dialog(opened).getByText('Choose an archive (.tgz)')).toBeVisible()
  await dialog(opened)
    .locator('input[type=file]')
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await expectPage(dialog(opened).getByText('notes.txt is not an extension archive')).toBeVisible()
  await dialog(opened).getByRole('button', { name: 'Install' }).click()
  expect(sent).toEqual([])
  await opened.page.keyboard.press('Escape')
  await expectPage(dialog(opened)).toHaveCount(0)

  const bytes = Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3, 250])
  let seen: { type: string | undefined; token: string | undefined; body: Buffer | null } | undefined
  await opened.page.route(/\/api\/apps\/root\/extensions$/, async (route) => {
    const request = route.request()
    if (request.method() !== 'PUT') return route.continue()
    const { 'content-type': type, authorization: token } = await request.allHeaders()
    seen = { type, token, body: request.postDataBuffer() }
    return route.fulfill({
      status: 409,
      json: { code: 'EXTENSION_BROKEN', message: 'manifest.json is not JSON' },
    })
  })
  const transfer = await opened.page.evaluateHandle(
    (values) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(values)], 'reports-1.0.0.tgz', { type: 'application/gzip' }))
      return data
    },
    [...bytes],
  )
  await expectPage(row(opened, 'Hello')).toBeVisible()
  await row(opened, 'Hello').dispatchEvent('drop', { dataTransfer: transfer })
  await expectPage(dialog(opened).getByText('reports-1.0.0.tgz, 8 B')).toBeVisible()
  await dialog(opened).getByRole('button', { name: 'Install' }).click()
  await expectPage(dialog(opened).getByText('manifest.json is not JSON')).toBeVisible()
  await expectPage(dialog(opened).getByText('reports-1.0.0.tgz, 8 B')).toBeVisible()
  expect(seen?.type).toBe('application/gzip')
  expect(seen?.token).toMatch(/^Bearer \S+/)
  expect(seen?.body?.equals(bytes)).toBe(true)
  expect(opened.complaints).toEqual([])
})

test('ckfinder#20 a link that is dropped on the list opens no installation, and a file that is dropped during one changes nothing', async () => {
  const opened = await open()
  await expectPage(row(opened, 'Hello')).toBeVisible()
  const isTaken = (type: 'dragover' | 'drop') =>
    row(opened, 'Hello').evaluate((element, name) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.setData('text/uri-list', 'https://example.org/')
      const event = new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true })
      return !element.dispatchEvent(event)
    }, type)
  expect([await isTaken('dragover'), await isTaken('drop')]).toEqual([false, false])
  await expectPage(dialog(opened)).toHaveCount(0)

  const drop = async (place: Locator, name: string) => {
    const dataTransfer = await opened.page.evaluateHandle((file) => {
      const data = new DataTransfer()
      data.items.add(new File(['x'], file, { type: 'application/gzip' }))
      return data
    }, name)
    await place.dispatchEvent('drop', { dataTransfer })
  }
  await drop(row(opened, 'Hello'), 'first.tgz')
  await expectPage(dialog(opened)).toContainText('first.tgz')
  // The events of the dialog reach the page, because React sends them to the components around it.
  await drop(dialog(opened).getByRole('alert'), 'second.tgz')
  await expectPage(dialog(opened)).toContainText('first.tgz')
  expect(opened.complaints).toEqual([])
})

test('a failed list shows the reason, and loads on retry', async () => {
  const opened = await openConsole(server, { as: await given.person({ isRoot: true }), path: null })
  await muteEvents(opened.page)
  let isDown = true
  await opened.page.route(/\/api\/apps\/root\/extensions$/, (route) =>
    isDown
      ? route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'Access denied' } })
      : route.continue(),
  )
  await opened.page.goto('/app/extensions')
  await expectPage(main(opened).getByRole('alert')).toContainText('The extensions could not be loaded')
  isDown = false
  await button(opened, 'Try again').click()
  await expectPage(row(opened, 'Hello')).toBeVisible()
})

test('accessible in each theme and width: list, extension and dialogs', async () => {
  await put('broken-one', { sdk: '^9.0.0', description: 'w'.repeat(90) })
  const opened = await open()
  await expectPage(row(opened, 'Hello')).toBeVisible()
  await opened.expectAccessibleInLooks()
  await button(opened, 'Install an extension').click()
  await dialog(opened).getByRole('button', { name: 'Install' }).click()
  await expectPage(dialog(opened).getByText('Choose an archive (.tgz)')).toBeVisible()
  await opened.expectAccessibleInLooks()
  await opened.page.goto('/app/extensions/broken-one')
  await button(opened, 'Enable').click()
  await expectPage(question(opened)).toBeVisible()
  await opened.expectAccessibleInLooks()
  await opened.page.keyboard.press('Escape')
  await expectPage(question(opened)).toHaveCount(0)
  await opened.expectAccessibleInLooks()
  expect(opened.complaints).toEqual([])
})
