import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { projectEndpoints, rootExtensionEndpoints, taskEndpoints } from '@pult/contract'
import {
  expectPage,
  type GivenPerson,
  type OpenedConsole,
  openConsole,
  testServer,
  writeExtension,
} from '@pult/testkit'
import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000 })
const server = await testServer({ withConsole: true })
const { given } = server

const path = '/app/project-details/settings'
const main = ({ page }: OpenedConsole) => page.getByRole('main')
const field = (opened: OpenedConsole, label = 'Label') => main(opened).getByLabel(label, { exact: true })
const save = (opened: OpenedConsole) => main(opened).getByRole('button', { name: 'Save', exact: true })
const notices = ({ page }: OpenedConsole) => page.getByRole('region', { name: 'Notifications' })
const conflict = ({ page }: OpenedConsole) => page.getByRole('dialog', { name: 'Changed in the meantime' })

let owner: GivenPerson
let root: GivenPerson
// A console renews the token that it receives, so each test has separate users.
beforeEach(async () => {
  owner = await given.person({ firstname: 'Olga', lastname: 'Ohm' })
  root = await given.person({ firstname: 'Ruth', lastname: 'Root', isRoot: true })
})

async function openSettings(person: GivenPerson, projectId: string) {
  const opened = await openConsole(server, { as: person, path: null })
  await opened.page.addInitScript((id) => {
    if (sessionStorage.getItem('chosen') !== null) return
    sessionStorage.setItem('chosen', id)
    localStorage.setItem('pult.activeProjectId', id)
  }, projectId)
  await opened.page.goto(path)
  await expectPage(field(opened)).toBeVisible()
  return opened
}

const read = async (projectId: string) =>
  (await root.call(projectEndpoints.read, { params: { projectId } })).body
const rename = (person: GivenPerson, projectId: string, label: string) =>
  person.call(projectEndpoints.update, { params: { projectId }, body: { label } })

/** Records the bodies of the page's later updates. */
function updatesOf({ page }: OpenedConsole): unknown[] {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') bodies.push(request.postDataJSON())
  })
  return bodies
}

describe('saving', () => {
  test('PROJ-01 PROJ-02 PROJ-03 SHELL-08 API-24 every field is saved, only changed fields are sent, and an empty label is silently not saved; a failed save shows the reason and keeps the input', async () => {
    const { orgId } = await given.organisation(owner, { label: 'Messe Nord' })
    const { projectId } = await given.project(owner, { label: 'Messe' })
    const opened = await openSettings(owner, projectId)
    const updates = updatesOf(opened)
    await expectPage(save(opened)).toBeDisabled()
    await field(opened).fill('  ')
    await save(opened).click()
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(main(opened).getByRole('alert')).toHaveCount(0)
    await field(opened).fill('Messe')
    expect(updates).toEqual([])

    await field(opened, 'Organisation').selectOption({ label: 'Messe Nord' })
    await field(opened, 'Console colour').fill('#0b6470')
    await field(opened, 'Customer').fill(' ACME ')
    await field(opened, 'Project number').fill('P-7')
    await save(opened).click()
    await expectPage(notices(opened).getByText('Project saved')).toBeVisible()
    await expectPage(save(opened)).toBeDisabled()
    expect(updates).toEqual([
      { org: orgId, meta: { customer: 'ACME', projectId: 'P-7' }, config: { consoleColor: '#0b6470' } },
    ])
    expect(await read(projectId)).toMatchObject({
      label: 'Messe',
      org: orgId,
      meta: { customer: 'ACME', projectId: 'P-7' },
      config: { consoleColor: '#0b6470' },
    })

    await field(opened, 'Organisation').selectOption({ label: 'None (private)' })
    await field(opened).fill('Messe 2027')
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(opened.page.getByRole('banner')).toContainText('Messe 2027')
    expect(updates[1]).toEqual({ label: 'Messe 2027', org: null })
    expect(await read(projectId)).toMatchObject({ label: 'Messe 2027', org: null })

    await opened.page.route(/\/api\/projects\/[^/]+$/, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 503, json: { code: 'BUSY', message: 'The server has other things to do' } })
        : route.continue(),
    )
    await field(opened).fill('Museum')
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(notices(opened).getByText('The server has other things to do')).toBeVisible()
    await expectPage(field(opened)).toHaveValue('Museum')
  })

  test('DEC-34 a colour previews the console and the contrast of its text, and an invalid one is not sent', async () => {
    const { projectId } = await given.project(owner, { consoleColor: '#444' })
    const opened = await openSettings(owner, projectId)
    const updates = updatesOf(opened)
    await expectPage(main(opened).getByText('contrast 9.7 to 1')).toBeVisible()
    await field(opened, 'Pick the console colour').fill('#ffee00')
    await expectPage(field(opened, 'Console colour')).toHaveValue('#ffee00')
    await expectPage(main(opened).getByText('contrast 17.5 to 1')).toBeVisible()
    const tile = main(opened).locator('figure [aria-hidden="true"]').last()
    await expectPage(tile).toHaveCSS('background-color', 'rgb(255, 238, 0)')
    await expectPage(tile).toHaveCSS('color', 'rgb(0, 0, 0)')
    await field(opened, 'Console colour').fill('reddish')
    await expectPage(main(opened).getByText('Must be a colour such as')).toBeVisible()
    await save(opened).click()
    expect(updates).toEqual([])
  })

  test('DEC-15 products are chosen from the installed ones, with a warning about lost roles', async () => {
    const viewer = await given.person()
    const { projectId } = await given.project(owner, {
      products: ['project', 'gone'],
      grants: [{ person: viewer, productRole: 'project/viewer' }],
    })
    const opened = await openSettings(root, projectId)
    const updates = updatesOf(opened)
    const product = (name: string) => main(opened).getByRole('checkbox', { name })
    await expectPage(product('gone not installed')).toBeChecked()
    await product('Project project').uncheck()
    await expectPage(main(opened).getByText('One person loses a role.')).toBeVisible()
    await product('Project project').check()
    await expectPage(save(opened)).toBeDisabled()
    await product('gone').uncheck()
    await save(opened).click()
    await expectPage(product('gone')).toHaveCount(0)
    expect(updates).toEqual([{ products: ['project'] }])
  })
})

describe('concurrent users and leaving', () => {
  test('DEC-29 DEC-30 leaving for another tab with unsaved input asks, and staying keeps the input; another user’s save updates the page but not the edited field; a conflicting save asks which value to keep', async () => {
    const { projectId } = await given.project(owner, { label: 'Messe' })
    const opened = await openSettings(owner, projectId)
    await field(opened).fill('Museum')
    await opened.page.getByRole('link', { name: 'Overview' }).click()
    const question = opened.page.getByRole('alertdialog')
    await question.getByRole('button', { name: 'Stay' }).click()
    await expectPage(field(opened)).toHaveValue('Museum')
    await opened.page.getByRole('link', { name: 'Overview' }).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === '/app/project-details/overview')
    expect((await read(projectId)).label).toBe('Messe')

    await opened.page.getByRole('link', { name: 'Settings', exact: true }).click()
    await rename(root, projectId, 'Markt')
    await expectPage(field(opened)).toHaveValue('Markt')
    await field(opened).fill('Museum')
    await rename(root, projectId, 'Mühle')
    await expectPage(opened.page.getByRole('banner')).toContainText('Mühle')
    await expectPage(field(opened)).toHaveValue('Museum')
    await save(opened).click()
    await expectPage(conflict(opened)).toContainText(/Ruth Root changed this on \d\d\.\d\d\.\d{4} - /)
    expect((await read(projectId)).label).toBe('Mühle')
    await conflict(opened).getByRole('button', { name: 'Keep mine' }).click()
    await expectPage(opened.page.getByRole('banner')).toContainText('Museum')
    expect((await read(projectId)).label).toBe('Museum')
  })

  test('DEC-14 DEC-17 an organisation’s owner with the role edits its projects, but not their members', async () => {
    const boss = await given.person({ firstname: 'Bo' })
    const org = await given.organisation(boss)
    const { projectId } = await given.project(owner, {
      org,
      grants: [{ person: boss, productRole: 'project/maintainer' }],
    })
    const opened = await openSettings(boss, projectId)
    await field(opened).fill('Halle 4')
    await save(opened).click()
    await expectPage(opened.page.getByRole('banner')).toContainText('Halle 4')
    await opened.page.getByRole('link', { name: 'People', exact: true }).click()
    await expectPage(main(opened).getByRole('row')).toHaveCount(3)
    await expectPage(main(opened).getByRole('combobox')).toHaveCount(0)
    // The only button is the header's, which opens a window.
    await expectPage(main(opened).getByRole('button')).toHaveAccessibleName('Open in a window')
  })
})

describe('deletion', () => {
  test('DEC-20 API-24 asks for the label, shows the reason of a failure and keeps the project, then opens another project’s home without a question about unsaved input', async () => {
    await given.project(owner, { label: 'The next one' })
    const { projectId } = await given.project(owner, { label: 'Halle „4“' })
    const opened = await openSettings(owner, projectId)
    await field(opened).fill('Halle 5')
    await main(opened).getByRole('button', { name: 'Delete project' }).click()
    const dialog = opened.page.getByRole('dialog', { name: 'Delete Halle „4“?' })
    const remove = dialog.getByRole('button', { name: 'Delete permanently' })
    await expectPage(remove).toBeDisabled()
    await dialog.getByRole('textbox').fill('Halle')
    await dialog.getByRole('textbox').press('Enter')
    await opened.page.keyboard.press('Escape')
    await expectPage(dialog).toHaveCount(0)
    expect((await read(projectId)).label).toBe('Halle „4“')

    await main(opened).getByRole('button', { name: 'Delete project' }).click()
    await dialog.getByRole('textbox').fill('Halle „4“')
    await expectPage(remove).toBeEnabled()
    await opened.page.route(/\/api\/projects\/[^/]+$/, (route) =>
      route.request().method() === 'DELETE'
        ? route.fulfill({ status: 503, json: { code: 'BUSY', message: 'The server has other things to do' } })
        : route.continue(),
    )
    await dialog.getByRole('textbox').press('Enter')
    await expectPage(dialog.getByRole('alert')).toContainText('The server has other things to do')
    await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === path)
    await opened.page.unroute(/\/api\/projects\/[^/]+$/)
    await dialog.getByRole('textbox').press('Enter')
    await expectPage(opened.page).toHaveURL('/')
    await expectPage(opened.page.getByRole('banner')).not.toContainText('Halle')
    await expectPage(opened.page.getByRole('alertdialog')).toHaveCount(0)
    expect(await root.call(projectEndpoints.read, { params: { projectId } })).toFailWith('NOT_FOUND')
  })
})

test('RULE-59 an export started again after a lost response runs once, and the next export is separate', async () => {
  const { projectId } = await given.project(owner, { label: 'Messe' })
  const opened = await openSettings(owner, projectId)
  const listed = async () => (await owner.call(taskEndpoints.list, { params: { projectId } })).body.total
  let isLost = false
  await opened.page.route(/\/export$/, async (route) => {
    if (isLost) return route.fallback()
    isLost = true
    await route.fetch()
    await route.abort()
  })
  const exportAgain = main(opened).getByRole('button', { name: 'Export project' })
  await exportAgain.click()
  await expectPage(main(opened).getByRole('alert')).toContainText('The server cannot be reached')
  await exportAgain.click()
  await expectPage(main(opened).getByRole('link', { name: /^Download/ })).toBeVisible()
  expect(await listed()).toBe(1)
  await exportAgain.click()
  await expect.poll(listed).toBe(2)
})

test('tsoding/musializer#33 a long name of a file ends in an ellipsis within its button, and its title shows it whole', async () => {
  const label = 'Hafen Nord '.repeat(18).trim()
  const { projectId } = await given.project(owner, { label })
  const opened = await openSettings(owner, projectId)
  await main(opened).getByRole('button', { name: 'Export project' }).click()
  const link = main(opened).getByRole('link', { name: /^Download/ })
  await expectPage(link).toBeVisible()
  const name = link.locator('span').last()
  const beside = main(opened).getByRole('button', { name: 'Choose an exported ZIP' })
  const sidesOf = (part: Locator) =>
    part.evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect)
  const overflows = (part: Locator) =>
    part.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  expect((await sidesOf(link)).right).toBeLessThan((await sidesOf(beside)).left)
  expect([await overflows(link), await overflows(name)]).toEqual([false, true])
  await expectPage(name).toHaveCSS('text-overflow', 'ellipsis')
  await expectPage(link).toHaveAttribute('title', (await link.getAttribute('download')) ?? '')
})

test('the settings of an extension leave the page when root disables it, and return with it', async () => {
  const manifest = {
    id: 'heat',
    label: 'Heat',
    settings: [{ id: 'limit', type: 'number', label: 'Limit', default: 40 }],
    products: [{ sku: 'heat', label: 'Heat', roles: [] }],
    apps: [{ id: 'heat', uuid: crypto.randomUUID(), label: 'Heat', icon: 'box', productSku: 'heat' }],
  }
  await writeExtension(join(server.dataFolder, 'extensions', 'heat'), { manifest })
  const params = { name: 'heat' }
  const enable = () => root.call(rootExtensionEndpoints.enable, { params, body: {} })
  expect(await enable()).toSucceed()
  const { projectId } = await given.project(owner, { products: ['project', 'heat'] })
  const opened = await openSettings(owner, projectId)
  const settings = main(opened).getByRole('region', { name: 'Settings of Heat' })
  await expectPage(settings.getByLabel('Limit')).toHaveValue('40')
  expect(await root.call(rootExtensionEndpoints.disable, { params })).toSucceed()
  await expectPage(settings).toHaveCount(0)
  expect(await enable()).toSucceed()
  await expectPage(settings).toBeVisible()
})
