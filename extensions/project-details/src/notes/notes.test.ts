import { type Note, noteEndpoints } from '@pult/contract'
import {
  type ConsoleOptions,
  expectPage,
  type GivenPerson,
  type OpenedConsole,
  openConsole,
  testServer,
} from '@pult/testkit'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 90_000 })
const server = await testServer({ withConsole: true })
const { given, db } = server

/** A person with a project of their own. */
async function givenOwner(name: { firstname?: string; lastname?: string } = {}) {
  const person = await given.person(name)
  const { projectId } = await given.project(person, { label: 'Messe' })
  return { person, projectId }
}
async function write(person: GivenPerson, projectId: string, label: string, text = ''): Promise<Note> {
  const { body } = await person.call(noteEndpoints.create, { params: { projectId }, body: { label, text } })
  return body
}
function change(
  person: GivenPerson,
  projectId: string,
  itemId: string,
  body: { label?: string; text?: string },
) {
  return person.call(noteEndpoints.update, { params: { projectId, itemId }, body })
}
async function readNote(person: GivenPerson, projectId: string, itemId: string): Promise<Note> {
  return (await person.call(noteEndpoints.read, { params: { projectId, itemId } })).body
}

const root = '/app/project-details/notes'
const open = (as: GivenPerson, path = root, options: ConsoleOptions = {}) =>
  openConsole(server, { as, path, ...options })
const edit = (itemId: string) => `${root}/edit/${itemId}`
const label = ({ page }: OpenedConsole) => page.getByLabel('Label', { exact: true })
const text = ({ page }: OpenedConsole) => page.getByLabel('Text', { exact: true })
const button = ({ page }: OpenedConsole, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const answer = ({ page }: OpenedConsole, name: string) =>
  page.getByRole('alertdialog').getByRole('button', { name }).click()
const conflict = ({ page }: OpenedConsole) => page.getByRole('dialog', { name: 'Changed meanwhile' })
const rows = ({ page }: OpenedConsole) => page.getByRole('navigation', { name: 'Notes' }).getByRole('link')
/** Of the note that is open, beside the list. */
const title = ({ page }: OpenedConsole) =>
  page.locator('main [data-screen] > :last-child').getByRole('heading', { level: 2 })
const search = ({ page }: OpenedConsole) => page.getByRole('searchbox', { name: 'Search notes' })

interface Sent {
  method: string
  body: unknown
  revision: string | undefined
}

/** What the page sends to the notes from now on. */
function writesOf({ page }: OpenedConsole): Sent[] {
  const sent: Sent[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' || !request.url().includes('/notes')) return
    const body: unknown = request.postDataJSON()
    sent.push({ method: request.method(), body, revision: request.headers()['if-match'] })
  })
  return sent
}

describe('creating and editing', () => {
  test('CRUD-01 CRUD-03 CRUD-06 SHELL-07 from the empty list to a note and its first change, of which only that is sent', async () => {
    const { person, projectId } = await givenOwner()
    const opened = await open(person)
    await expectPage(opened.page.getByText('No notes yet').first()).toBeVisible()
    await opened.page.getByRole('link', { name: 'Create' }).first().click()
    await expectPage(opened.page).toHaveURL(`${root}/create`)
    const sent = writesOf(opened)
    await expectPage(button(opened, 'Create')).toBeDisabled()
    await text(opened).fill('At the gate')
    await button(opened, 'Create').click()
    await expectPage(opened.page.getByText('Please enter a label')).toBeVisible()
    await label(opened).fill(' Key of hall 4 ')
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(opened.page).toHaveURL(/\/notes\/edit\/[\w-]+$/)
    await expectPage(title(opened)).toHaveText('Key of hall 4')
    await expectPage(rows(opened)).toHaveText([/^Key of hall 4At the gate$/])
    await expectPage(rows(opened)).toHaveAttribute('aria-current', 'page')
    await expectPage(opened.page).toHaveTitle('Key of hall 4 · Notes · Project Details · Pult')

    await expectPage(button(opened, 'Save')).toBeDisabled()
    await label(opened).fill('Key of hall 4  ')
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(button(opened, 'Save')).toBeDisabled()
    await text(opened).fill('At the desk')
    await button(opened, 'Save').click()
    await expectPage(opened.page.getByText('Note saved')).toBeVisible()
    await expectPage(button(opened, 'Save')).toBeDisabled()
    expect(sent).toEqual([
      { method: 'POST', body: { label: 'Key of hall 4', text: 'At the gate' }, revision: undefined },
      { method: 'PUT', body: { text: 'At the desk' }, revision: '"1"' },
    ])
    const { body } = await person.call(noteEndpoints.list, { params: { projectId } })
    expect(body.items).toMatchObject([{ label: 'Key of hall 4', text: 'At the desk', revision: 2 }])
  })

  test('CRUD-02 CRUD-04 DEC-20 duplicates a note; deleting asks, and leads to the next one and at last to the list', async () => {
    const { person, projectId } = await givenOwner()
    const first = await write(person, projectId, 'First')
    const second = await write(person, projectId, 'Second', 'The text')
    const opened = await open(person, edit(second._id))
    await button(opened, 'Duplicate').click()
    await expectPage(opened.page).toHaveURL(`${root}/create`)
    await expectPage(label(opened)).toHaveValue('Second (copy)')
    await expectPage(text(opened)).toHaveValue('The text')
    await expectPage(button(opened, 'Create')).toBeEnabled()

    await rows(opened).filter({ hasText: 'SecondThe text' }).click()
    await answer(opened, 'Leave')
    await expectPage(title(opened)).toHaveText('Second')
    // What was typed goes with the note, unasked.
    await label(opened).fill('Typed')
    await button(opened, 'Delete').click()
    await expectPage(opened.page.getByRole('alertdialog')).toHaveAccessibleName('Really delete?')
    await answer(opened, 'Cancel')
    await expectPage(rows(opened)).toHaveCount(2)
    await button(opened, 'Delete').click()
    await answer(opened, 'Delete')
    await expectPage(opened.page).toHaveURL(edit(first._id))
    await expectPage(label(opened)).toHaveValue('First')
    await button(opened, 'Delete').click()
    await answer(opened, 'Delete')
    await expectPage(opened.page).toHaveURL(root)
    await expectPage(opened.page.getByText('No notes yet').first()).toBeVisible()
    await expectPage(opened.page.getByRole('alertdialog')).toHaveCount(0)
  })

  test('API-24 DEC-31 a refusal stands at its field, any other in a notice; leaving with input asks', async () => {
    const { person, projectId } = await givenOwner()
    const note = await write(person, projectId, 'Hall')
    await write(person, projectId, 'Gate')
    const opened = await open(person, edit(note._id))
    const refuseWith = (status: number, json: object) =>
      opened.page.route(/\/notes\/[\w-]+$/, (route) =>
        route.request().method() === 'PUT' ? route.fulfill({ status, json }) : route.fallback(),
      )
    await text(opened).fill('Dark')
    const issues = [{ path: ['text'], message: 'Not these words' }]
    await refuseWith(400, { code: 'VALIDATION_FAILED', message: 'The request is not valid', issues })
    await button(opened, 'Save').click()
    await expectPage(text(opened)).toHaveAccessibleDescription('Not these words')
    await text(opened).fill('Light')
    await expectPage(text(opened)).toHaveAccessibleDescription('')
    await refuseWith(503, { code: 'BUSY', message: 'Other things to do' })
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(opened.page.getByText('Other things to do')).toBeVisible()
    await rows(opened).filter({ hasText: 'Gate' }).click()
    await answer(opened, 'Stay')
    await expectPage(text(opened)).toHaveValue('Light')
  })

  test('the session’s end loses nothing that was typed', async () => {
    const { person, projectId } = await givenOwner()
    const note = await write(person, projectId, 'Hall')
    const opened = await open(person, edit(note._id))
    await text(opened).fill('Typed before')
    await db.deleteFrom('session').where('person_id', '=', person.personId).execute()
    // By its keys: the page may have noticed the end by itself before.
    await opened.page.keyboard.press('ControlOrMeta+s')
    await opened.page.getByPlaceholder('Username / E-Mail').fill(person.email)
    await opened.page.getByRole('button', { name: 'Next' }).click()
    await opened.page.getByRole('button', { name: 'Password', exact: true }).click()
    await opened.page.getByLabel('Password', { exact: true }).fill(person.password)
    await opened.page.getByRole('button', { name: 'Login' }).click()
    await expectPage(text(opened)).toHaveValue('Typed before')
    await button(opened, 'Save').click()
    await expectPage(opened.page.getByText('Note saved')).toBeVisible()
  })
})

describe('with others', () => {
  test('CRUD-05 DEC-29 DEC-02 an open note is read again every 4 seconds, except for what is being typed', async () => {
    const { person, projectId } = await givenOwner()
    const note = await write(person, projectId, 'Hall', 'Dark')
    const opened = await openConsole(server, { as: person, path: null })
    // Nothing tells the page of a change.
    await opened.page.routeWebSocket(/\/api\/ws/, () => {})
    const polls: (string | undefined)[] = []
    opened.page.on('request', (request) => {
      if (
        request.url().endsWith(note._id) &&
        request.method() === 'GET' &&
        request.resourceType() === 'fetch'
      )
        polls.push(request.headers()['x-pult-background'])
    })
    await opened.page.goto(edit(note._id))
    await label(opened).fill('Typed')
    await change(person, projectId, note._id, { text: 'Light' })
    await expectPage(text(opened)).toHaveValue('Light')
    await expectPage(label(opened)).toHaveValue('Typed')
    expect(polls.at(-1)).toBe('1')
    // What others have changed in another field stands on the screen: it is no conflict.
    await button(opened, 'Save').click()
    await expectPage(opened.page.getByText('Note saved')).toBeVisible()
    expect(await readNote(person, projectId, note._id)).toMatchObject({ label: 'Typed', text: 'Light' })
  })

  test('DEC-29 RULE-58 two browsers on one note: each sees what the other saves; over the same field one decides', async () => {
    const { person: ada, projectId } = await givenOwner()
    const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper', isRoot: true })
    const note = await write(ada, projectId, 'Hall', 'Dark')
    const mine = await open(ada, edit(note._id))
    const hers = await openConsole(server, { as: grace, path: null })
    await hers.context.addInitScript((id) => localStorage.setItem('pult.activeProjectId', id), projectId)
    await hers.page.goto(edit(note._id))
    await text(hers).fill('Light')
    await button(hers, 'Save').click()
    await expectPage(text(mine)).toHaveValue('Light')

    await label(mine).fill('My hall')
    await label(hers).fill('Her hall')
    await button(hers, 'Save').click()
    await expectPage(title(mine)).toHaveText('Her hall')
    await expectPage(rows(mine)).toHaveText([/^Her hall/])
    await expectPage(label(mine)).toHaveValue('My hall')
    await expectPage(label(mine)).toHaveAccessibleDescription(/^Grace Hopper has changed this meanwhile/)
    await button(mine, 'Save').click()
    await expectPage(conflict(mine)).toContainText(/Grace Hopper has changed this on \d\d\.\d\d\.\d{4} - /)
    await expectPage(conflict(mine)).toContainText(/LabelTheirsHer hallYoursMy hall/)
    expect(await readNote(ada, projectId, note._id)).toMatchObject({ label: 'Her hall', revision: 3 })
    await conflict(mine).getByRole('button', { name: 'Keep mine' }).click()
    await expectPage(title(hers)).toHaveText('My hall')
    await expectPage(label(hers)).toHaveValue('My hall')
    await expectPage(button(mine, 'Save')).toBeDisabled()

    // The refusal of the server alone: the page has not heard of the change.
    await mine.page.routeWebSocket(/\/api\/ws/, () => {})
    await mine.page.reload()
    await text(mine).fill('Mine')
    await mine.page.route(/\/notes\/[\w-]+$/, async (route) => {
      if (route.request().method() === 'PUT') await change(grace, projectId, note._id, { text: 'Hers' })
      await route.fallback()
    })
    await button(mine, 'Save').click()
    await expectPage(conflict(mine)).toContainText('TextTheirsHersYoursMine')
    await conflict(mine).getByRole('button', { name: 'Take theirs' }).click()
    await expectPage(text(mine)).toHaveValue('Hers')
    await expectPage(button(mine, 'Save')).toBeDisabled()
    expect(await readNote(ada, projectId, note._id)).toMatchObject({ text: 'Hers' })
  })

  test('a note that somebody else deletes says so, and what was typed can still be read', async () => {
    const { person, projectId } = await givenOwner()
    const note = await write(person, projectId, 'Hall')
    const opened = await open(person, edit(note._id))
    await text(opened).fill('Long thoughts')
    await person.call(noteEndpoints.remove, { params: { projectId, itemId: note._id } })
    await expectPage(opened.page.getByRole('alert')).toContainText('There is no such note')
    await expectPage(text(opened)).toHaveValue('Long thoughts')
    await expectPage(text(opened)).toHaveAttribute('readonly')
    await expectPage(button(opened, 'Save')).toHaveCount(0)
    await expectPage(button(opened, 'Delete')).toHaveCount(0)
    opened.page.once('dialog', (dialog) => void dialog.accept())
    await opened.page.goto(edit(note._id))
    await expectPage(title(opened)).toHaveText('There is no such note')
  })

  test('ROLE-01 APP-04 DEC-19 notes are for those with the role; the others are told so, and see no way there', async () => {
    const owner = await given.person()
    const operator = await given.person({ firstname: 'Otto' })
    const viewer = await given.person({ firstname: 'Vera' })
    const { projectId } = await given.project(owner, {
      grants: [
        { person: operator, productRole: 'project/operator' },
        { person: viewer, productRole: 'project/viewer' },
      ],
    })
    await write(owner, projectId, 'Hall')
    const his = await open(operator, '/app/project-details')
    await his.page.getByRole('main').getByRole('link', { name: 'Notes' }).click()
    await expectPage(rows(his)).toHaveText([/^Hall/])
    const hers = await open(viewer, '/app/project-details')
    await expectPage(hers.page.getByRole('main').getByRole('link', { name: 'Overview' })).toBeVisible()
    await expectPage(hers.page.getByRole('main').getByRole('link', { name: 'Notes' })).toHaveCount(0)
    await hers.page.goto(root)
    await expectPage(hers.page.getByRole('alert')).toContainText('Access denied')
    await expectPage(rows(hers)).toHaveCount(0)
  })
})

describe('the list', () => {
  test('CRUD-01 pinning moves a note to the top, in all consoles', async () => {
    const { person, projectId } = await givenOwner()
    const old = await write(person, projectId, 'Old')
    const opened = await open(person, edit(old._id))
    const other = await open(person)
    await write(person, projectId, 'New')
    for (const one of [opened, other]) await expectPage(rows(one)).toHaveText([/^New/, /^Old/])
    await button(opened, 'Pin').click()
    for (const one of [opened, other]) await expectPage(rows(one)).toHaveText([/^Old.*Pinned$/, /^New/])
    await button(opened, 'Unpin').click()
    await expectPage(rows(other)).toHaveText([/^New/, /^Old/])
  })

  test('CRUD-08 SHELL-07 is searched, and gone through with the keyboard', async () => {
    const { person, projectId } = await givenOwner()
    for (const name of ['Cellar', 'Bridge', 'Bar', 'Attic']) await write(person, projectId, name)
    const opened = await open(person)
    const { keyboard } = opened.page
    const focused = (name: string) => expectPage(rows(opened).filter({ hasText: name })).toBeFocused()
    await search(opened).press('ArrowDown')
    await focused('Attic')
    await keyboard.press('End')
    await focused('Cellar')
    await keyboard.press('ArrowUp')
    await focused('Bridge')
    await keyboard.press('Home')
    await focused('Attic')
    await keyboard.type('br')
    await focused('Bridge')
    await keyboard.press('Enter')
    await expectPage(title(opened)).toHaveText('Bridge')
    await search(opened).fill('label:Ba')
    await expectPage(rows(opened)).toHaveText([/^Bar/])
    await expectPage(opened.page.getByRole('status').filter({ hasText: '1 found' })).toBeAttached()
    await search(opened).fill('nowhere')
    await expectPage(opened.page.getByText('Nothing found')).toBeVisible()
    await opened.page.route(/\/notes\?/, (route) => route.abort())
    await search(opened).fill('Cellar')
    await expectPage(opened.page.getByRole('alert')).toContainText('Loading failed')
    await opened.page.unroute(/\/notes\?/)
    await opened.page.getByRole('button', { name: 'Try again' }).click()
    await expectPage(rows(opened)).toHaveText([/^Cellar/])
  })

  test('CRUD-01 DEC-42 of 100,000 notes few are in the document, from the first to the last', async () => {
    const { person, projectId } = await givenOwner()
    const idOf = (number: number) => `018f0000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
    await sql`insert into note (id, project_id, label)
      select ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${projectId}, 'Note ' || n
      from generate_series(1, 100000) n`.execute(db)
    const opened = await openConsole(server, { as: person, path: null })
    // On the way through all pages this test would spend its time on the server: the third one begins near the end.
    await opened.page.route(/\/notes\?/, (route) => {
      const url = new URL(route.request().url())
      if (url.searchParams.get('after') === `0${idOf(99_601)}`)
        url.searchParams.set('after', `0${idOf(2001)}`)
      return route.continue({ url: url.href })
    })
    await opened.page.goto(root)
    await expectPage(opened.page.getByText('10.000+')).toBeVisible()
    await expectPage(rows(opened).first()).toHaveText(/^Note 100000/)
    const list = opened.page.getByRole('navigation', { name: 'Notes' })
    let most = 0
    await expectPage(async () => {
      most = Math.max(most, await list.getByRole('listitem').count())
      await list.evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight))
      expect(await rows(opened).last().textContent()).toMatch(/^Note 1(?!\d)/)
    }).toPass({ timeout: 50_000 })
    expect(most).toBeLessThan(100)
    // The keyboard goes back over all of it, and the list is as live as it was.
    await rows(opened).last().focus()
    await opened.page.keyboard.press('Home')
    await expectPage(rows(opened).filter({ hasText: /^Note 100000/ })).toBeFocused()
    await write(person, projectId, 'The newest')
    await expectPage(rows(opened).filter({ hasText: 'The newest' })).toBeVisible()
  }, 120_000)
})

for (const theme of ['light', 'dark'] as const) {
  test(`CRUD-01 accessible, ${theme}; on a phone the list and a note are two screens`, async () => {
    const { person, projectId } = await givenOwner()
    const note = await write(
      person,
      projectId,
      'Ein Zettel mit einem Namen, der länger ist als breit',
      'Text',
    )
    const pinned = await write(person, projectId, 'Oben')
    await person.call(noteEndpoints.exec, {
      params: { projectId, itemId: pinned._id, command: 'pin' },
      body: {},
    })
    const wide = await open(person, edit(note._id), { theme })
    const narrow = await open(person, root, { theme, viewport: { width: 390, height: 844 } })
    await label(wide).fill('Mine')
    await change(person, projectId, note._id, { label: 'Theirs' })
    await expectPage(title(wide)).toHaveText('Theirs')
    await wide.expectAccessible()
    await button(wide, 'Save').click()
    await expectPage(conflict(wide)).toBeVisible()
    await wide.expectAccessible()

    await expectPage(narrow.page.getByRole('heading', { level: 2, name: 'Notes' })).toBeVisible()
    await narrow.expectAccessible()
    await rows(narrow).filter({ hasText: 'Theirs' }).click()
    await expectPage(label(narrow)).toHaveValue('Theirs')
    await expectPage(rows(narrow)).toHaveCount(0)
    await narrow.expectAccessible()
    expect(await narrow.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    await narrow.page.locator('[data-screen]').getByRole('link', { name: 'Notes' }).click()
    await expectPage(rows(narrow)).toHaveCount(2)
    await expectPage(label(narrow)).toHaveCount(0)
    expect([...wide.complaints, ...narrow.complaints]).toEqual([])
  })
}
