import { type Note, noteEndpoints } from '@pult/contract'
import {
  type ConsoleOptions,
  expectPage,
  type GivenPerson,
  muteEvents,
  type OpenedConsole,
  openConsole,
  testServer,
} from '@pult/testkit'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 90_000 })
const server = await testServer({ withConsole: true })
const { given, db } = server

/** A person with their own project. */
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
/** With a separate session, because the console soon replaces its token. */
const open = async (as: GivenPerson, path: string | null = root, options: ConsoleOptions = {}) =>
  openConsole(server, { as: { token: await as.openSession() }, path, ...options })
const edit = (itemId: string) => `${root}/edit/${itemId}`
const label = ({ page }: OpenedConsole) => page.getByLabel('Label', { exact: true })
const text = ({ page }: OpenedConsole) => page.getByLabel('Text', { exact: true })
const button = ({ page }: OpenedConsole, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true })
const answer = ({ page }: OpenedConsole, name: string) =>
  page.getByRole('alertdialog').getByRole('button', { name }).click()
const conflict = ({ page }: OpenedConsole) => page.getByRole('dialog', { name: 'Changed in the meantime' })
const rows = ({ page }: OpenedConsole) => page.getByRole('navigation', { name: 'Notes' }).getByRole('link')
/** The open note beside the list. */
const title = ({ page }: OpenedConsole) =>
  page.locator('main [data-screen] > :last-child').getByRole('heading', { level: 2 })
const search = ({ page }: OpenedConsole) => page.getByRole('searchbox', { name: 'Search notes' })

interface Sent {
  method: string
  body: unknown
  revision: string | undefined
}

/** Records the calls that the page sends to the notes. */
function writesOf({ page }: OpenedConsole): Sent[] {
  const sent: Sent[] = []
  page.on('request', (request) => {
    if (request.method() === 'GET' || !request.url().includes('/notes')) return
    const body: unknown = request.postDataJSON()
    sent.push({ method: request.method(), body, revision: request.headers()['if-match'] })
  })
  return sent
}

describe('creation and editing', () => {
  test('CRUD-01 CRUD-03 CRUD-06 SHELL-07 the empty list offers a new note, and an update sends only the changed field', async () => {
    const { person, projectId } = await givenOwner()
    const opened = await open(person)
    await expectPage(opened.page.getByText('No notes yet')).toHaveCount(1)
    await opened.page.getByRole('link', { name: 'Create', exact: true }).click()
    await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === `${root}/create`)
    const sent = writesOf(opened)
    await expectPage(button(opened, 'Create')).toBeDisabled()
    await text(opened).fill('At the gate')
    await button(opened, 'Create').click()
    await expectPage(opened.page.getByText('Enter a label')).toBeVisible()
    await label(opened).fill(' Key of hall 4 ')
    await opened.page.keyboard.press('ControlOrMeta+s')
    await expectPage(opened.page).toHaveURL(/\/notes\/edit\/[\w-]+\?project=/)
    await expectPage(title(opened)).toHaveText('Key of hall 4')
    await expectPage(rows(opened)).toHaveText([/^Key of hall 4At the gate$/])
    await expectPage(rows(opened)).toHaveAttribute('aria-current', 'page')
    await expectPage(opened.page).toHaveTitle('Key of hall 4 · Notes · Project Details · Pult')

    const changed = opened.page.getByText(/^Changed (?:jetzt|vor .+) by Ada Lovelace$/)
    await expectPage(changed).toHaveAttribute('title', /^\d\d\.\d\d\.\d{4} - /)
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
    // webmaker-android#1331: not to the form, which would make a second note.
    await opened.page.goBack()
    await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === root)
  })

  test('CRUD-02 CRUD-04 DEC-20 duplicates a note; deleting asks, opens the next one and finally the list, and can be undone', async () => {
    const { person, projectId } = await givenOwner()
    const first = await write(person, projectId, 'First')
    const second = await write(person, projectId, 'Second', 'The text')
    const opened = await open(person, edit(second._id))
    await button(opened, 'Duplicate').click()
    await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === `${root}/create`)
    await expectPage(label(opened)).toHaveValue('Second (copy)')
    await expectPage(text(opened)).toHaveValue('The text')
    await expectPage(button(opened, 'Create')).toBeEnabled()

    await rows(opened).filter({ hasText: 'SecondThe text' }).click()
    await answer(opened, 'Leave')
    await expectPage(title(opened)).toHaveText('Second')
    // Unsaved input is discarded together with the note, without a question.
    await label(opened).fill('Typed')
    await button(opened, 'Delete').click()
    await expectPage(opened.page.getByRole('alertdialog')).toHaveAccessibleName('Really delete?')
    await answer(opened, 'Cancel')
    await expectPage(rows(opened)).toHaveCount(2)
    await button(opened, 'Delete').click()
    await answer(opened, 'Delete')
    await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === edit(first._id))
    await expectPage(label(opened)).toHaveValue('First')
    await button(opened, 'Delete').click()
    await answer(opened, 'Delete')
    await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === root)
    await expectPage(opened.page.getByText('No notes yet')).toHaveCount(1)
    await expectPage(opened.page.getByRole('alertdialog', { name: 'Really delete?' })).toHaveCount(0)
    await opened.page.getByRole('button', { name: 'Undo' }).first().click()
    await expectPage(rows(opened)).toHaveText([/^First/])
  })

  test('API-24 DEC-31 a field shows its error, a notification any other; leaving with input asks for confirmation', async () => {
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

  test('DEC-30 “Create” on the page of a new note or of a duplicate keeps the input', async () => {
    const { person, projectId } = await givenOwner()
    const note = await write(person, projectId, 'Hall')
    const opened = await open(person)
    const create = opened.page.getByRole('link', { name: 'Create', exact: true })
    const createAgain = async () => {
      const at = () => opened.page.evaluate(() => history.state.key as string)
      const before = await at()
      await create.click()
      await expectPage.poll(at).not.toBe(before)
    }
    await create.click()
    await label(opened).fill('Typed')
    await createAgain()
    await expectPage(label(opened)).toHaveValue('Typed')
    await rows(opened).filter({ hasText: 'Hall' }).click()
    await answer(opened, 'Leave')
    await expectPage(opened.page).toHaveURL(({ pathname }) => pathname === edit(note._id))
    await button(opened, 'Duplicate').click()
    await expectPage(label(opened)).toHaveValue('Hall (copy)')
    await createAgain()
    await expectPage(label(opened)).toHaveValue('Hall (copy)')
  })

  test('the end of the session keeps all input', async () => {
    const { person, projectId } = await givenOwner()
    const note = await write(person, projectId, 'Hall')
    const opened = await open(person, edit(note._id))
    await text(opened).fill('Typed before')
    await db.deleteFrom('session').where('person_id', '=', person.personId).execute()
    // Uses the keyboard, because the page may already show the sign-in form.
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

describe('concurrent users', () => {
  test('CRUD-05 DEC-29 DEC-02 an open note is refetched every 4 seconds, except for edited fields', async () => {
    const { person, projectId } = await givenOwner()
    const note = await write(person, projectId, 'Hall', 'Dark')
    const opened = await open(person, null)
    // No event announces the change.
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
    // A change by another user in a different field is shown and is not a conflict.
    await button(opened, 'Save').click()
    await expectPage(opened.page.getByText('Note saved')).toBeVisible()
    expect(await readNote(person, projectId, note._id)).toMatchObject({ label: 'Typed', text: 'Light' })
  })

  test('DEC-29 RULE-58 two browsers see each other’s saves of a note, and the user resolves conflicts of a field', async () => {
    const { person: ada, projectId } = await givenOwner()
    const grace = await given.person({ firstname: 'Grace', lastname: 'Hopper', isRoot: true })
    const note = await write(ada, projectId, 'Hall', 'Dark')
    const mine = await open(ada, edit(note._id))
    const hers = await open(grace, null)
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
    await expectPage(label(mine)).toHaveAccessibleDescription(
      /^Grace Hopper has changed this in the meantime/,
    )
    await button(mine, 'Save').click()
    await expectPage(conflict(mine)).toContainText(/Grace Hopper changed this on \d\d\.\d\d\.\d{4} - /)
    await expectPage(conflict(mine)).toContainText(/LabelTheirsHer hallYoursMy hall/)
    expect(await readNote(ada, projectId, note._id)).toMatchObject({ label: 'Her hall', revision: 3 })
    await conflict(mine).getByRole('button', { name: 'Keep mine' }).click()
    await expectPage(title(hers)).toHaveText('My hall')
    await expectPage(label(hers)).toHaveValue('My hall')
    await expectPage(button(mine, 'Save')).toBeDisabled()

    // The server rejects the call, because the page has not received the event yet.
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

  test('a note deleted by another user is reported as deleted, and the input stays readable', async () => {
    const { person, projectId } = await givenOwner()
    const note = await write(person, projectId, 'Hall')
    const opened = await open(person, edit(note._id))
    await text(opened).fill('Long thoughts')
    await person.call(noteEndpoints.remove, { params: { projectId, itemId: note._id } })
    await expectPage(opened.page.getByRole('alert')).toContainText('This note does not exist')
    await expectPage(text(opened)).toHaveValue('Long thoughts')
    await expectPage(text(opened)).toHaveAttribute('readonly')
    await expectPage(button(opened, 'Save')).toHaveCount(0)
    await expectPage(button(opened, 'Delete')).toHaveCount(0)
    opened.page.once('dialog', (dialog) => void dialog.accept())
    await opened.page.goto(edit(note._id))
    await expectPage(title(opened)).toHaveText('This note does not exist')
  })

  test('ROLE-01 APP-04 DEC-19 notes require the role; other users get an explanation and see no link', async () => {
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

  test('CRUD-08 SHELL-07 the list is searched and navigated by keyboard', async () => {
    const { person, projectId } = await givenOwner()
    for (const name of ['Cellar', 'Bridge', 'Bar', 'Attic']) await write(person, projectId, name)
    const opened = await open(person, null)
    // An event would repeat the search.
    await muteEvents(opened.page)
    await opened.page.goto(root)
    const { keyboard } = opened.page
    const focused = (name: string) => expectPage(rows(opened).filter({ hasText: name })).toBeFocused()
    await expectPage(rows(opened)).toHaveCount(4)
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
    await opened.page.route(/\/notes\?/, (route) =>
      route.fulfill({ status: 403, json: { code: 'FORBIDDEN', message: 'Access denied' } }),
    )
    await search(opened).fill('Cellar')
    await expectPage(opened.page.getByRole('alert')).toContainText('Loading failed')
    await opened.page.unroute(/\/notes\?/)
    await opened.page.getByRole('button', { name: 'Try again' }).click()
    await expectPage(rows(opened)).toHaveText([/^Cellar/])
  })

  test('CRUD-01 DEC-42 the list renders only a few of 100,000 notes at a time, from the first to the last', async () => {
    const { person, projectId } = await givenOwner()
    const idOf = (number: number) => `018f0000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`
    await sql`insert into note (id, project_id, label)
      select ('018f0000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, ${projectId}, 'Note ' || n
      from generate_series(1, 100000) n`.execute(db)
    const opened = await open(person, null)
    // Loading all pages would take most of the test's time, so the third page starts near the end.
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
    // The keyboard moves back through the list, which still updates live.
    await rows(opened).last().focus()
    await opened.page.keyboard.press('Home')
    await expectPage(rows(opened).filter({ hasText: /^Note 100000/ })).toBeFocused()
    // The project has more notes than a user can add.
    const params = { projectId, itemId: idOf(100_000) }
    expect(await person.call(noteEndpoints.update, { params, body: { label: 'The newest' } })).toSucceed()
    await expectPage(rows(opened).filter({ hasText: 'The newest' })).toBeVisible()
  }, 120_000)
})

/** Prepares the page for paper, as the browser does before it prints. */
async function beginPrint({ page }: OpenedConsole): Promise<void> {
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
}

/** The vertical places of the rows of the list, from top to bottom. */
const placesOf = (opened: OpenedConsole) =>
  rows(opened).evaluateAll((links) =>
    links
      .map((link) => link.getBoundingClientRect())
      .map(({ top, bottom }) => ({ top, bottom }))
      .toSorted((one, other) => one.top - other.top),
  )

describe('on paper', () => {
  async function opened100(path: string) {
    const { person, projectId } = await givenOwner()
    await sql`insert into note (id, project_id, label) select gen_random_uuid(), ${projectId}, 'Note ' || n
      from generate_series(1, 100) n`.execute(db)
    const opened = await open(person, path)
    await expectPage(rows(opened).first()).toBeVisible()
    await opened.page
      .getByRole('navigation', { name: 'Notes' })
      .evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight))
    await expectPage(rows(opened).last()).toHaveText(/Note/)
    return opened
  }

  async function expectWholeList(opened: OpenedConsole) {
    await expectPage(rows(opened)).toHaveCount(100)
    const places = await placesOf(opened)
    expect(places.every(({ top }, index) => index === 0 || top >= (places[index - 1]?.bottom ?? 0))).toBe(
      true,
    )
    // Nothing between the list and the paper cuts it off.
    const isCut = await rows(opened)
      .last()
      .evaluate((link) => {
        for (let at = link.parentElement; at !== null && at !== document.body; at = at.parentElement)
          if (getComputedStyle(at).overflowY !== 'visible' || getComputedStyle(at).position === 'fixed')
            return at.className
        return null
      })
    expect(isCut).toBeNull()
  }

  test('metabase/metabase#13613 a list has all its loaded records, and no empty page of a record beside them', async () => {
    const opened = await opened100(root)
    await beginPrint(opened)
    await expectWholeList(opened)
    await expectPage(opened.page.locator('main [data-screen] > :last-child')).toBeHidden()
  })

  test('metabase/metabase#13613 the top window is printed in its whole length instead of the page', async () => {
    const opened = await opened100(root)
    const { page } = opened
    await page.getByRole('button', { name: 'Open in a window' }).click()
    const window = page.getByRole('dialog', { name: /Notes/ })
    await expectPage(
      window.getByRole('navigation', { name: 'Notes' }).getByRole('link').first(),
    ).toBeVisible()
    await page.goto('/projects')
    await expectPage(window).toBeVisible()
    await beginPrint(opened)
    await expectPage(page.getByRole('main')).toBeHidden()
    await expectWholeList(opened)
    expect(await window.evaluate((element) => element.getBoundingClientRect().height)).toBeGreaterThan(3000)
  })
})

test('rows of the list grow with the font of the browser', async () => {
  const { person, projectId } = await givenOwner()
  for (const name of ['Hall', 'Tower']) await write(person, projectId, name, 'Some text of the note')
  const opened = await open(person, null)
  await opened.page.addInitScript(() => {
    addEventListener('DOMContentLoaded', () => {
      document.documentElement.style.fontSize = '24px'
    })
  })
  await opened.page.goto(root)
  await expectPage(rows(opened)).toHaveCount(2)
  expect(
    await rows(opened)
      .first()
      .evaluate((link) => link.scrollHeight <= link.clientHeight),
  ).toBe(true)
  const [one, other] = await placesOf(opened)
  expect((other?.top ?? 0) - (one?.top ?? 0)).toBe(78)
})

test('a record beside its list is 760 px wide', async () => {
  const { person, projectId } = await givenOwner()
  const note = await write(person, projectId, 'Hall')
  const opened = await open(person, edit(note._id), { viewport: { width: 1680, height: 900 } })
  await expectPage(title(opened)).toHaveText('Hall')
  const page = opened.page.locator('main [data-screen] > :last-child > div')
  expect(await page.evaluate((element) => element.getBoundingClientRect().width)).toBe(760)
})

test('CRUD-01 accessible in each theme and width; on a phone the list and a note are two screens', async () => {
  const { person, projectId } = await givenOwner()
  const note = await write(person, projectId, 'Ein Zettel mit einem Namen, der länger ist als breit', 'Text')
  const pinned = await write(person, projectId, 'Oben')
  await person.call(noteEndpoints.exec, {
    params: { projectId, itemId: pinned._id, command: 'pin' },
    body: {},
  })
  const wide = await open(person, edit(note._id))
  const narrow = await open(person, root, { theme: 'dark', viewport: { width: 390, height: 844 } })
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
