import { type Note, noteEndpoints, storeEndpoints } from '@pult/contract'
import { expectPage, extensionFolder, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'
import { stayWhenAsked } from '#platform/testing/stay-when-asked.ts'

/** The output of an author's build: plain modules that import the console's shared modules. */
const entry = `
import { createElement as h, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import {
  ApiError, defineExtension, useBackend, useCredentials, useFormat, useHotkey, useNotify, usePageTitle, useProject,
  useScope, useStore, useStoreEntries, useTexts,
} from '@pult/sdk'
import { endpoint, noteEndpoints, z } from '@pult/sdk/api'
import { ResourcePage, resourceRoute, useSaveShortcut } from '@pult/sdk/resource'
import { Button, ConfirmDialog, ListSearch, TagInput, TextField, TimeAgo, useListSearch } from '@pult/sdk/ui'

function Tags() {
  const [tags, setTags] = useState(['north'])
  const [sent, setSent] = useState(0)
  const [sentTags, setSentTags] = useState([])
  const send = (event) => {
    event.preventDefault()
    setSent(sent + 1)
    setSentTags(tags)
  }
  return h('form', { ref: useSaveShortcut(), onSubmit: send },
    h(TagInput, { label: 'Tags', tags, onChange: setTags, removeLabel: (tag) => 'Remove ' + tag }),
    h('output', null, JSON.stringify(tags)), h('p', null, 'Sent ' + sent),
    h('p', null, 'Last ' + JSON.stringify(sentTags)), h(Button, { type: 'submit' }, 'Send'))
}

const mounted = Date.now()
const before = (milliseconds) => new Date(mounted - milliseconds).toISOString()
function Times() {
  return h('ul', null, [before(3000), before(298000), '2026-01-05T08:03:07.000Z', 'soon'].map((at) =>
    h('li', { key: at }, h(TimeAgo, { at }))))
}

const cues = [
  { label: 'Blackout', isArmed: true, owner: 'Ada Lovelace' },
  { label: 'House lights', isArmed: false, owner: 'Ada Byron' },
  { label: 'North side', isArmed: true, owner: 'Grace Hopper' },
]
function Search() {
  const search = useListSearch({
    textsOf: ({ label }) => [label],
    fields: { armed: ({ isArmed }) => isArmed, owner: ({ owner }) => owner },
  })
  return h('div', null, h(ListSearch, { label: 'Search cues', ...search.field }),
    h('ul', { 'aria-label': 'Cues' }, cues.filter(search.matches).map(({ label }) => h('li', { key: label }, label))))
}

function Inner({ log }) {
  useHotkey('mod+i', () => log('inner'))
  return null
}
function InDialog({ log }) {
  useHotkey('mod+i', () => log('dialog'), { whileTyping: true })
  return null
}
function Keys() {
  const [lines, setLines] = useState([])
  const [isOpen, setOpen] = useState(false)
  const log = (line) => setLines((now) => [...now, line])
  useHotkey('mod+i', () => log('outer'))
  useHotkey('K', () => log('letter'))
  useHotkey('mod+j', () => log('while typing'), { whileTyping: true })
  const notify = useNotify()
  useHotkey('mod+l', () => { log('below'); notify({ title: 'Still there', tone: 'success' }) })
  return h('div', null, h(Inner, { log }), h(TextField, { label: 'Write here' }),
    h(Button, { onClick: () => setOpen(true) }, 'Ask'),
    h(ConfirmDialog, { open: isOpen, title: 'Sure?', confirmLabel: 'Yes', cancelLabel: 'No',
      onConfirm: () => setOpen(false), onCancel: () => setOpen(false) }, h(InDialog, { log })),
    h('output', null, lines.join(', ')))
}

const report = endpoint('POST', '/reports/:name', {
  summary: 'Writes a report.', body: z.strictObject({ rows: z.number() }), reply: z.object({ path: z.string() }) })
function Around() {
  const { label } = useProject()
  const backend = useBackend()
  const notify = useNotify()
  const format = useFormat()
  const texts = useTexts({ de: { hello: (name) => 'Hallo ' + name }, 'de-DE': { hello: (name) => 'Guten Tag ' + name } })
  const [answer, setAnswer] = useState('')
  usePageTitle('Around')
  const ask = (name) => backend(report, { params: { name }, body: { rows: 3 } }).then(
    ({ path }) => setAnswer(path),
    (error) => { setAnswer(error instanceof ApiError && error.code); notify({ title: 'No report', error }) })
  return h('div', null, h('p', null, texts.hello(useCredentials().firstname) + ' in ' + label),
    h('p', null, format.instant('2026-01-05T08:03:07.000Z') + ' | ' + format.date('2026-01-05T08:03:07.000Z') + ' | '
      + format.time('2026-01-05T08:03:07.000Z') + ' | ' + format.number(1234.5) + ' | ' + useScope().join()),
    h(Button, { onClick: () => ask('to day') }, 'Report'), h(Button, { onClick: () => ask('broken') }, 'Broken'),
    h('output', null, answer))
}

function NotesPage() {
  return h(ResourcePage, { view: {
    endpoints: noteEndpoints, params: { projectId: useProject()._id }, path: 'notes', texts: { title: 'Slips' },
    labelOf: ({ label }) => label, empty: { label: '', text: '' }, fieldLabels: { label: 'Label', text: 'Text' },
  } })
}

function Kept() {
  const { value, set, entry } = useStore('layout', { columns: 1 })
  const { entries = [], write, remove } = useStoreEntries('cue:')
  const [answer, setAnswer] = useState('')
  const more = () => set(({ columns }) => ({ columns: columns + 1 }))
  const showOutcome = (work) => work.then(() => setAnswer('kept'), ({ code }) => setAnswer(code))
  return h('div', null,
    h('p', null, 'Columns ' + value.columns + ', revision ' + (entry ? entry.revision : 0)),
    h(Button, { onClick: () => showOutcome(more()) }, 'More'),
    h(Button, { onClick: () => showOutcome(Promise.all([more(), more(), more()])) }, 'Three more'),
    h(Button, { onClick: () => showOutcome(write('cue:1', 'Blackout', 0)) }, 'Cue'),
    h(Button, { onClick: () => showOutcome(remove('cue:1')) }, 'No cue'),
    h('output', null, answer), h('ul', { 'aria-label': 'Entries' }, entries.map(({ key, value }) => h('li', { key }, key + '=' + value))))
}

const page = (path, Component) => ({ name: 'app-parts-' + path, path, Component })
const parts = { routes: [page('tags', Tags), page('times', Times), page('search', Search), page('keys', Keys),
  page('around', Around), page('kept', Kept), resourceRoute('app-parts-notes', 'notes', NotesPage)] }
export default defineExtension({
  register: ({ registerApp }) => registerApp({ id: 'parts', loader: async () => ({ default: parts }) }) })`

const extensionsFolder = await extensionFolder({
  parts: {
    manifest: {
      id: 'parts',
      products: [{ sku: 'parts', label: 'Parts', roles: [] }],
      apps: [
        {
          id: 'parts',
          uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
          label: 'Parts',
          icon: 'box',
          productSku: 'parts',
        } as { id: string; label: string },
      ],
    },
    files: { 'entry.js': entry },
  },
})

describe('the SDK, from an extension', async () => {
  const server = await testServer({ withConsole: true, extensionsFolder })
  const { given } = server
  const owner = await given.person({ firstname: 'Ada' })
  const { projectId } = await given.project(owner, { label: 'Messe', products: ['parts'] })
  /** Opens a separate session, because a starting page replaces the token that it received. */
  const open = async (path: string) =>
    openConsole(server, { as: { token: await owner.openSession() }, path: `/app/parts/${path}` })

  test('TAG-01 new tags are added with Enter, and removed with Backspace and their buttons', async () => {
    const { page, expectAccessibleInLooks, complaints } = await open('tags')
    const field = page.getByRole('textbox', { name: 'Tags' })
    const tags = page.locator('output')
    await field.fill(' south ')
    await field.press('Enter')
    await expectPage(tags).toHaveText('["north","south"]')
    await expectPage(field).toHaveValue('')
    for (const refused of ['south', ' north ', '   ']) {
      await field.fill(refused)
      await field.press('Enter')
      await expectPage(field).toHaveValue(refused)
    }
    await expectPage(tags).toHaveText('["north","south"]')
    await expectAccessibleInLooks()
    // Backspace edits a non-empty text, and Enter in an empty field submits the form.
    await field.fill('x')
    await field.press('Backspace')
    await expectPage(tags).toHaveText('["north","south"]')
    await expectPage(page.getByText('Sent 0')).toBeVisible()
    await field.press('Enter')
    await expectPage(page.getByText('Sent 1')).toBeVisible()
    await field.press('Backspace')
    await expectPage(tags).toHaveText('["north"]')
    await expectPage(page.getByRole('status').filter({ hasText: '− south' })).toBeAttached()
    await field.fill('west')
    await field.press('Enter')
    await page.getByRole('button', { name: 'Remove north' }).press('Enter')
    await expectPage(tags).toHaveText('["west"]')
    await expectPage(page.getByRole('button', { name: 'Remove west' })).toBeFocused()
    await page.getByRole('button', { name: 'Remove west' }).click()
    await expectPage(tags).toHaveText('[]')
    await expectPage(field).toBeFocused()
    await field.press('Backspace')
    await expectPage(tags).toHaveText('[]')
    expect(complaints).toEqual([])
  })

  test('DEC-30 a half-typed tag is added when its field loses the focus or its form is submitted, and leaving the page asks about it', async () => {
    const opened = await open('tags')
    const { page, complaints } = opened
    const asked = stayWhenAsked(opened)
    const field = page.getByRole('textbox', { name: 'Tags' })
    const tags = page.locator('output')
    await field.fill(' south ')
    await page.getByRole('button', { name: 'Send' }).focus()
    await expectPage(tags).toHaveText('["north","south"]')
    await field.fill('west')
    await page.keyboard.press('ControlOrMeta+s')
    await expectPage(page.getByText('Last ["north","south","west"]')).toBeVisible()
    await expectPage(field).toBeFocused()

    await field.fill('east')
    await page.evaluate(() => void setTimeout(() => location.reload()))
    await expectPage.poll(() => asked).toEqual(['beforeunload'])
    await expectPage(field).toHaveValue('east')
    expect(complaints).toEqual([])
  })

  test('TIME-01 TIME-02 visible seconds count on one timer; after five minutes the date appears', async () => {
    const { page } = await openConsole(server, { as: { token: await owner.openSession() }, path: null })
    await page.clock.install()
    await page.addInitScript(() => {
      const { setInterval } = globalThis
      const counted = Object.assign(globalThis, { timers: 0 })
      globalThis.setInterval = ((handler: () => void, delay: number) => {
        if (delay === 1000) counted.timers += 1
        return setInterval(handler, delay)
      }) as typeof setInterval
    })
    await page.goto('/app/parts/times')
    const shown = page.getByRole('main').getByRole('listitem')
    await expectPage(shown.nth(0)).toHaveText(/^vor \d+ Sekunden$/)
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 10_000))
    expect(await page.evaluate(() => (globalThis as { timers?: number }).timers)).toBe(1)
    const seconds = async () => Number(/\d+/.exec((await shown.nth(0).textContent()) ?? '')?.[0])
    const at = await seconds()
    await page.clock.runFor(1000)
    await expectPage(shown.nth(0)).toHaveText(`vor ${at + 1} Sekunden`)

    const instant = (await shown.nth(1).locator('time').getAttribute('datetime')) ?? ''
    const date = new Intl.DateTimeFormat('de-DE', {
      timeZone: 'Europe/Berlin',
      dateStyle: 'medium',
      timeStyle: 'medium',
    })
    await page.clock.runFor(3000)
    await expectPage(shown.nth(1)).toHaveText(date.format(new Date(instant)).replace(', ', ' - '))
    await expectPage(shown.nth(2)).toHaveText('05.01.2026 - 09:03:07')
    await expectPage(shown.nth(3)).toHaveText('soon')

    const setHidden = (isHidden: boolean) =>
      page.evaluate((hidden) => {
        Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, isHidden)
    const writes = () => page.evaluate(() => (globalThis as { writes?: number }).writes ?? 0)
    await expectPage(shown.nth(0)).toHaveText(`vor ${at + 4} Sekunden`)
    await page.evaluate(() => {
      const watcher = new MutationObserver(() => {
        const counted = globalThis as { writes?: number }
        counted.writes = (counted.writes ?? 0) + 1
      })
      watcher.observe(document.querySelector('main ul') as Element, { subtree: true, characterData: true })
    })
    await setHidden(true)
    await page.clock.runFor(20_000)
    expect(await writes()).toBe(0)
    await setHidden(false)
    await expectPage(shown.nth(0)).toHaveText(`vor ${at + 24} Sekunden`)
    await page.clock.runFor(41_000)
    await expectPage(shown.nth(0)).toHaveText('vor 1 Minute')
  })

  test('CRUD-08 DEC-32 terms are joined by AND, quotes group words, an unknown key is plain text, and keys can be clicked', async () => {
    const { page, expectAccessible } = await open('search')
    const field = page.getByRole('searchbox', { name: 'Search cues' })
    const found = page.getByRole('list', { name: 'Cues' }).getByRole('listitem')
    const finds = async (text: string, labels: string[]) => {
      await field.fill(text)
      await expectPage(found).toHaveText(labels)
    }
    await finds('armed:true', ['Blackout', 'North side'])
    await finds('armed:true owner:ada', ['Blackout'])
    await finds('owner:"ada b"', ['House lights'])
    await finds('side:north', [])
    await finds('"th si"', ['North side'])
    await field.press('Escape')
    await expectPage(found).toHaveCount(3)
    await page.getByRole('button', { name: 'How to search' }).click()
    await page.getByRole('button', { name: 'armed:' }).click()
    await expectPage(field).toBeFocused()
    await page.keyboard.type('false')
    await expectPage(field).toHaveValue('armed:false')
    await expectPage(found).toHaveText(['House lights'])
    await expectAccessible()
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await expectPage(found).toHaveCount(3)
  })

  test('the innermost hotkey runs, an open dialog takes precedence, and no hotkey runs while typing unless requested', async () => {
    const { page } = await open('keys')
    const log = page.locator('output')
    await expectPage(page.getByRole('button', { name: 'Ask', exact: true })).toBeVisible()
    await page.keyboard.press('ControlOrMeta+i')
    await expectPage(log).toHaveText('inner')
    await page.keyboard.press('k')
    await expectPage(log).toHaveText('inner, letter')
    await page.getByLabel('Write here').press('k')
    await page.keyboard.press('ControlOrMeta+i')
    await page.keyboard.press('ControlOrMeta+j')
    await expectPage(log).toHaveText('inner, letter, while typing')
    await expectPage(page.getByLabel('Write here')).toHaveValue('k')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await expectPage(page.getByRole('alertdialog')).toHaveAccessibleName('Sure?')
    await page.keyboard.press('ControlOrMeta+l')
    await page.keyboard.press('ControlOrMeta+i')
    await expectPage(log).toHaveText('inner, letter, while typing, dialog')
    await page.getByRole('button', { name: 'No' }).click()
    await expectPage(page.getByRole('alertdialog')).toHaveCount(0)
    await page.keyboard.press('ControlOrMeta+l')
    await expectPage(log).toHaveText('inner, letter, while typing, dialog, below')
    // A notification beside the page is not a dialog.
    await expectPage(page.getByText('Still there')).toBeVisible()
    await page.keyboard.press('ControlOrMeta+l')
    await expectPage(log).toHaveText('inner, letter, while typing, dialog, below, below')
  })

  test('TIME-02 a page receives its location and user, and calls its service below the app’s address', async () => {
    const opened = await openConsole(server, { as: { token: await owner.openSession() }, path: null })
    const { page } = opened
    const asked: object[] = []
    await page.route(/\/api\/apps\/parts\//, (route) => {
      const request = route.request()
      const { pathname } = new URL(request.url())
      asked.push({ method: request.method(), pathname, body: request.postDataJSON() as unknown })
      expect(request.headers()['pult-project']).toBe(projectId)
      return pathname.endsWith('broken')
        ? route.fulfill({ status: 418, json: { code: 'TEAPOT', message: 'Only tea here' } })
        : route.fulfill({ json: { path: pathname } })
    })
    await page.goto('/app/parts/around')
    await expectPage(page.getByText('Hallo Ada in Messe')).toBeVisible()
    await expectPage(
      page.getByText('05.01.2026 - 09:03:07 | 05.01.2026 | 09:03:07 | 1.234,5 | '),
    ).toBeVisible()
    await expectPage(page).toHaveTitle('Around · Parts · Pult')
    await page.getByRole('button', { name: 'Report' }).click()
    await expectPage(page.locator('output')).toHaveText('/api/apps/parts/reports/to%20day')
    await page.getByRole('button', { name: 'Broken' }).click()
    await expectPage(page.locator('output')).toHaveText('TEAPOT')
    await expectPage(page.getByText('Only tea here')).toBeVisible()
    expect(asked).toEqual([
      { method: 'POST', pathname: '/api/apps/parts/reports/to%20day', body: { rows: 3 } },
      { method: 'POST', pathname: '/api/apps/parts/reports/broken', body: { rows: 3 } },
    ])
  })

  test('CRUD-01 CRUD-03 a resource in a few lines has its list, its forms, and the styles of all its components', async () => {
    const opened = await open('notes')
    const { page } = opened
    await expectPage(page.getByText('Nothing here yet').first()).toBeVisible()
    await page.getByRole('link', { name: 'Create' }).first().click()
    await expectPage(page).toHaveURL(/\/app\/parts\/notes\/create\?project=/)
    await expectPage(page.getByRole('button', { name: 'Create' })).toBeDisabled()
    await page.getByLabel('Label').fill('Hall')
    await page.keyboard.press('ControlOrMeta+s')
    await expectPage(page).toHaveURL(/\/app\/parts\/notes\/edit\//)
    await page.getByLabel('Text').fill('Dark')
    await page.getByRole('button', { name: 'Save' }).click()
    await expectPage(page.getByText('Saved')).toBeVisible()
    const { body } = await owner.call(noteEndpoints.list, { params: { projectId } })
    expect(body.items).toMatchObject([{ label: 'Hall', text: 'Dark' }] satisfies Partial<Note>[])
    // Only the extension uses these components. Without their style sheet, the bar would not be sticky.
    expect(
      await page
        .getByRole('button', { name: 'Save' })
        .evaluate((save) => getComputedStyle(save.parentElement as Element).position),
    ).toBe('sticky')
    await page.getByRole('banner').getByRole('link', { name: 'Home' }).click()
    await expectPage(page.getByRole('heading', { level: 1 })).toHaveText('Messe')
    await page.goBack()
    await page.getByRole('button', { name: 'Delete' }).click()
    await expectPage(page.getByRole('alertdialog', { name: 'Really delete?' })).toContainText(
      '“Hall” is deleted for everyone.',
    )
    await opened.expectAccessible()
    expect(opened.complaints).toEqual([])
  })

  test('DEC-29 RULE-58 stored values of an app are shared live, and a conflicting write does not overwrite an unseen value', async () => {
    const mine = (await open('kept')).page
    const theirs = (await open('kept')).page
    const press = (page: typeof mine, name: string) => page.getByRole('button', { name, exact: true }).click()
    await expectPage(mine.getByText('Columns 1, revision 0')).toBeVisible()
    await press(mine, 'More')
    for (const page of [mine, theirs]) await expectPage(page.getByText('Columns 2, revision 1')).toBeVisible()
    // Sequential changes, each based on the result of the previous one.
    await press(theirs, 'Three more')
    for (const page of [mine, theirs]) await expectPage(page.getByText('Columns 5, revision 4')).toBeVisible()
    await expectPage(theirs.locator('output')).toHaveText('kept')

    await press(mine, 'Cue')
    for (const page of [mine, theirs])
      await expectPage(page.getByRole('list', { name: 'Entries' }).getByRole('listitem')).toHaveText([
        'cue:1=Blackout',
      ])
    await press(theirs, 'Cue')
    await expectPage(theirs.locator('output')).toHaveText('REVISION_CONFLICT')
    await press(theirs, 'No cue')
    await expectPage(mine.getByRole('list', { name: 'Entries' }).getByRole('listitem')).toHaveCount(0)

    // Another client saves first, and this page has not received the event.
    const params = { projectId, app: 'parts', key: 'layout' }
    await mine.route(/\/store\/layout$/, async (route) => {
      if (route.request().method() === 'PUT')
        await owner.call(storeEndpoints.write, { params, body: { value: { columns: 40 } } })
      await route.fallback()
    })
    await press(mine, 'More')
    await expectPage(mine.locator('output')).toHaveText('REVISION_CONFLICT')
    await expectPage(mine.getByText('Columns 40, revision 5')).toBeVisible()
    await mine.unroute(/\/store\/layout$/)
    await press(mine, 'More')
    await expectPage(theirs.getByText('Columns 41, revision 6')).toBeVisible()
  })
})
