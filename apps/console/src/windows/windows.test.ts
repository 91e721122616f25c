import { projectEndpoints, rootExtensionEndpoints } from '@pult/contract'
import { expectPage, extensionFolder, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'
import { endSessionElsewhere, signIn } from '#platform/testing/sessions.ts'

const uuid = '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11'
const app = (id: string, label: string, more: object = {}) => ({
  id,
  uuid,
  label,
  icon: 'box',
  productSku: 'works',
  ...more,
})

const entry = `
  import { createElement as h, useState } from 'react'
  import { AppLink, useHotkey, usePageTitle } from '@pult/sdk'
  import { ButtonLink, Button, ConfirmDialog, Dialog, TextField } from '@pult/sdk/ui'
  import { useDraft, useSaveShortcut, useUnsavedInput } from '@pult/sdk/resource'
  function Start() {
    return h('p', null, 'The start. ', h(AppLink, { to: 'pumps/7' }, 'Pump 7'), ' or ',
      h(ButtonLink, { href: '/projects' }, 'All projects'))
  }
  function Pump() {
    const [name, setName] = useDraft('pump', '')
    const [isAsking, setAsking] = useState(false)
    const [saved, setSaved] = useState(0)
    const [note, setNote] = useState(null)
    usePageTitle('Pump 7')
    useUnsavedInput(name !== '')
    useHotkey('mod+shift+x', () => setSaved(100), { label: 'Count to a hundred' })
    return h('form', { ref: useSaveShortcut(), onSubmit: (event) => { event.preventDefault(); setSaved(saved + 1) } },
      h(TextField, { label: 'Name of the pump', value: name, onChange: (event) => setName(event.target.value) }),
      h('output', null, 'Saved ' + saved),
      h(Button, { onClick: () => setAsking(true) }, 'Ask'),
      h(AppLink, { to: 'start' }, 'Back to the start'),
      h(Button, { onClick: () => setNote('') }, 'Note'),
      h(Dialog, { open: note !== null, title: 'Note', unsaved: note !== '', onClose: () => setNote(null) },
        h(TextField, { label: 'Text', value: note ?? '', onChange: (event) => setNote(event.target.value) }),
        h(AppLink, { to: 'start' }, 'To the start')),
      h(ConfirmDialog, { open: isAsking, title: 'Sure?', confirmLabel: 'Yes', cancelLabel: 'No',
        onConfirm: () => setAsking(false), onCancel: () => setAsking(false) }))
  }
  const pages = (id) => ({ routes: [
    { name: 'app-' + id + '-start', path: 'start', Component: Start },
    { name: 'app-' + id + '-pump', path: 'pumps/:pumpId', Component: Pump },
  ] })
  export default { register: ({ registerApp }) => {
    for (const id of ['plant', 'meter', 'clock', 'admin', 'secret']) registerApp({ id, loader: async () => ({ default: pages(id) }) })
  } }`

const extensionsFolder = await extensionFolder({
  works: {
    manifest: {
      id: 'works',
      products: [
        {
          sku: 'works',
          label: 'Works',
          roles: [
            { id: 'keeper', label: 'Keeper', roles: ['secret'] },
            { id: 'guest', label: 'Guest', roles: [] },
          ],
        },
      ],
      apps: [
        app('plant', 'Plant', { priority: 1 }),
        app('meter', 'Meter', { priority: 2 }),
        app('clock', 'Clock', { priority: 3, container: 'window', windowSize: { width: 460, height: 320 } }),
        app('secret', 'Secret', { priority: 4, role: 'secret' }),
        app('admin', 'Admin', { productSku: 'root' }),
      ],
    },
    files: { 'entry.js': entry },
  },
  hire: {
    manifest: {
      id: 'hire',
      products: [{ sku: 'hire', label: 'Hire', roles: [] }],
      apps: [app('crane', 'Crane', { productSku: 'hire' })],
    },
  },
})

describe('windows', async () => {
  const server = await testServer({ withConsole: true, extensionsFolder })
  const { given } = server
  const owner = await given.person({ isRoot: true })
  const { projectId } = await given.project(owner, { label: 'Hall 7', products: ['works'] })
  const desk = { width: 1280, height: 800 }
  const headerHeight = 48

  const open = async (more: Parameters<typeof openConsole>[1] = {}) => {
    const opened = await openConsole(server, { as: { token: await owner.openSession() }, ...more })
    return { ...opened, ...handles(opened) }
  }

  function handles({ page }: OpenedConsole) {
    const window = (name: string | RegExp) => page.getByRole('dialog', { name })
    const bar = page.getByRole('toolbar', { name: 'Open windows' })
    const place = async (name: string) => {
      const box = await window(name).boundingBox()
      if (box === null) throw new Error(`${name} is not seen`)
      return [box.x, box.y - headerHeight, box.width, box.height].map(Math.round)
    }
    const openTile = async (label: string) => {
      await page
        .getByRole('main')
        .getByRole('button', { name: `Open ${label} in a window` })
        // By keyboard, because an open window may cover the tile.
        .press('Enter')
      await expectPage(window(label)).toBeFocused()
    }
    /** Drags the left part of its title bar. */
    const drag = async (name: string, to: { x: number; y: number }, isReleased = true) => {
      const box = await window(name).boundingBox()
      await page.mouse.move((box?.x ?? 0) + 60, (box?.y ?? 0) + 20)
      await page.mouse.down()
      await page.mouse.move(to.x + 40, to.y + 10, { steps: 4 })
      await page.mouse.move(to.x + 60, to.y + 20, { steps: 2 })
      if (isReleased) await page.mouse.up()
    }
    return { window, bar, place, openTile, drag }
  }

  test('SHELL-04 SHELL-05 a new window is 400x200 or has the size from its manifest and opens beside the last one, and a moved and resized one keeps its place after a reload', async () => {
    const { page, window, place, openTile, drag, complaints } = await open()
    await openTile('Plant')
    await expectPage.poll(async () => (await place('Plant')).slice(2)).toEqual([400, 200])
    const [x = 0, y = 0] = await place('Plant')
    await page.getByRole('main').getByRole('link', { name: 'Clock' }).press('Enter')
    await expectPage(window('Clock')).toBeFocused()
    await expectPage.poll(() => place('Clock')).toEqual([x + 400 + 8, y, 460, 320])
    await page.keyboard.press('Escape')
    await expectPage(window('Clock')).toHaveCount(0)
    await drag('Plant', { x: 500, y: headerHeight + 300 })
    await expectPage.poll(() => place('Plant')).toEqual([500, 300, 400, 200])
    // Drags the bottom right corner, then the left edge.
    await page.mouse.move(500 + 400, headerHeight + 300 + 200)
    await page.mouse.down()
    await page.mouse.move(500 + 460, headerHeight + 300 + 230, { steps: 4 })
    await page.mouse.up()
    await expectPage.poll(() => place('Plant')).toEqual([500, 300, 460, 230])
    await page.mouse.move(500, headerHeight + 400)
    await page.mouse.down()
    await page.mouse.move(480, headerHeight + 400, { steps: 4 })
    await page.mouse.up()
    await expectPage.poll(() => place('Plant')).toEqual([480, 300, 480, 230])

    await window('Plant').getByRole('link', { name: 'Pump 7' }).click()
    await expectPage(window('Pump 7 · Plant')).toBeVisible()
    await page.reload()
    await expectPage.poll(() => place('Pump 7 · Plant')).toEqual([480, 300, 480, 230])
    expect(complaints).toEqual([])
  })

  test('DEC-31 a drag to an edge previews the snap; Esc cancels it, releasing applies it; move mode ends when its window is closed or used in another way', async () => {
    const { page, window, place, openTile, drag } = await open()
    await openTile('Plant')
    const before = await place('Plant')
    const preview = page.locator('[class*=preview]')
    await drag('Plant', { x: -60, y: 300 }, false)
    await expectPage(preview).toBeVisible()
    await expectPage.poll(async () => (await preview.boundingBox())?.width).toBe(640)
    await expectPage.poll(() => place('Plant')).toEqual([-60, 300 - headerHeight, 400, 200])
    await page.keyboard.press('Escape')
    await expectPage(preview).toBeHidden()
    await page.mouse.up()
    await expectPage(window('Plant')).toBeVisible()
    await expectPage.poll(() => place('Plant')).toEqual(before)

    await drag('Plant', { x: -60, y: 300 })
    await expectPage.poll(() => place('Plant')).toEqual([0, 0, 640, 752])
    await drag('Plant', { x: desk.width - 60, y: 300 })
    await expectPage.poll(() => place('Plant')).toEqual([640, 0, 640, 752])
    await drag('Plant', { x: 500, y: headerHeight - 20 })
    await expectPage.poll(() => place('Plant')).toEqual([0, 0, 1280, 752])
    // Dragging a maximised window restores its size, and the pointer keeps hold of it.
    await drag('Plant', { x: 300, y: 400 })
    await expectPage.poll(async () => (await place('Plant')).slice(2)).toEqual([400, 200])
    await window('Plant').getByRole('heading').dblclick()
    await expectPage.poll(() => place('Plant')).toEqual([0, 0, 1280, 752])
    await window('Plant').getByRole('heading').dblclick()
    await expectPage.poll(async () => (await place('Plant')).slice(2)).toEqual([400, 200])

    const plant = window('Plant')
    const hint = plant.getByRole('status')
    const move = async () => {
      await plant.getByRole('button', { name: 'Window menu' }).press('Enter')
      await page.getByRole('menuitem', { name: 'Move' }).press('Enter')
      await expectPage(hint).toContainText('Arrow keys move the window')
    }
    const placed = await place('Plant')
    await move()
    await plant.getByRole('button', { name: 'Close' }).click()
    await openTile('Plant')
    await expectPage(hint).toBeEmpty()
    await page.keyboard.press('ArrowRight')
    await expectPage.poll(() => place('Plant')).toEqual(placed)

    await move()
    await plant.getByRole('link', { name: 'Pump 7' }).focus()
    await expectPage(hint).toBeEmpty()
    await move()
    await plant.getByText('The start.').click({ position: { x: 2, y: 2 } })
    await expectPage(hint).toBeEmpty()
  })

  test('DEC-31 SHELL-07 a window is moved, resized, snapped, minimised and closed by keyboard', async () => {
    const { page, window, place, openTile, bar } = await open()
    await openTile('Plant')
    const [x = 0, y = 0] = await place('Plant')
    const choose = async (name: string) => {
      await window('Plant').getByRole('button', { name: 'Window menu' }).press('Enter')
      await page.getByRole('menuitem', { name }).press('Enter')
      await expectPage(window('Plant')).toBeFocused()
    }
    await choose('Move')
    await expectPage(window('Plant').getByRole('status')).toContainText('Enter confirms, Esc reverts')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowDown')
    await expectPage.poll(() => place('Plant')).toEqual([x + 24, y + 1, 400, 200])
    await page.keyboard.press('Escape')
    await expectPage.poll(() => place('Plant')).toEqual([x, y, 400, 200])
    await choose('Resize')
    await expectPage(window('Plant').getByRole('status')).toContainText('Arrow keys resize the window')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+ArrowUp')
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowRight')
    await expectPage.poll(() => place('Plant')).toEqual([x, y, 424, 199])

    await page.keyboard.press('ControlOrMeta+Alt+ArrowLeft')
    await expectPage.poll(() => place('Plant')).toEqual([0, 0, 640, 752])
    await page.keyboard.press('ControlOrMeta+Alt+ArrowRight')
    await page.keyboard.press('ControlOrMeta+Alt+ArrowRight')
    await expectPage.poll(() => place('Plant')).toEqual([640, 0, 640, 752])
    await page.keyboard.press('ControlOrMeta+Alt+ArrowUp')
    await expectPage.poll(() => place('Plant')).toEqual([0, 0, 1280, 752])
    await page.keyboard.press('ControlOrMeta+Alt+ArrowDown')
    await expectPage.poll(() => place('Plant')).toEqual([x, y, 424, 199])
    await page.keyboard.press('ControlOrMeta+Alt+ArrowDown')
    await expectPage(window('Plant')).toHaveCount(0)
    await expectPage(
      page.getByRole('main').getByRole('button', { name: 'Open Plant in a window' }),
    ).toBeFocused()
    await bar.getByRole('button', { name: 'Plant, minimised' }).press('Enter')
    await expectPage(window('Plant')).toBeFocused()
    await page.keyboard.press('Escape')
    await expectPage(window('Plant')).toHaveCount(0)
    await expectPage(bar).toHaveCount(0)
    // It stays closed after a reload, and opens at its last position.
    await page.reload()
    await openTile('Plant')
    await expectPage.poll(() => place('Plant')).toEqual([x, y, 424, 199])
  })

  test('SHELL-04 a window that is opened again shows its last page', async () => {
    const { page, window, openTile } = await open()
    const closeAndOpen = async (label: string) => {
      await page.keyboard.press('Escape')
      await expectPage(page.getByRole('dialog')).toHaveCount(0)
      await openTile(label)
    }
    await openTile('Plant')
    await expectPage(window('Plant').getByText('The start.')).toBeVisible()
    await closeAndOpen('Plant')
    await expectPage(window('Plant').getByText('The start.')).toBeVisible()
    await window('Plant').getByRole('link', { name: 'Pump 7' }).click()
    await expectPage(window('Pump 7 · Plant')).toBeVisible()
    await closeAndOpen('Plant')
    await expectPage(window('Pump 7 · Plant').getByLabel('Name of the pump')).toBeVisible()
    await page.keyboard.press('Escape')

    await page.getByRole('main').getByRole('link', { name: 'Meter', exact: true }).click()
    await expectPage(page.getByText('The start.')).toBeVisible()
    await page.getByRole('banner').getByRole('link', { name: 'Home' }).click()
    await openTile('Meter')
    await expectPage(window('Meter').getByText('The start.')).toBeVisible()
  })

  test('DEC-02 a user who signs in on the page of another user sees none of that user’s windows', async () => {
    const colleague = await given.person({ isRoot: true })
    const opened = await open()
    const { page, window, openTile } = opened
    await openTile('Plant')
    const config = () => page.evaluate(() => localStorage.getItem('pult.windowConfig'))
    const before = await config()
    await endSessionElsewhere(server, opened)
    await signIn(opened, colleague)
    await expectPage(page.getByText(colleague.email)).toBeVisible()
    await page.keyboard.press('Shift')
    await expectPage(
      page.getByRole('main').getByRole('button', { name: 'Open Plant in a window' }),
    ).toBeVisible()
    await openTile('Plant')
    await expectPage(window('Plant')).toHaveCount(1)
    const after = JSON.parse((await config()) ?? '{}')
    const owners = Object.entries(JSON.parse(before ?? '{}'))
    expect(Object.entries(after).filter(([place]) => place.startsWith(owner.personId))).toEqual(owners)
    expect(Object.keys(after).some((place) => place.startsWith(colleague.personId))).toBe(true)
  })

  test('SHELL-04 a click or F6 raises a window; its button in the bar raises it, or minimises it if it is on top', async () => {
    const { page, window, openTile, bar } = await open()
    await openTile('Plant')
    await openTile('Meter')
    const isNearer = (name: string, other: string) =>
      expectPage
        .poll(async () => {
          const orders = await Promise.all(
            [name, other].map((each) => window(each).evaluate((element) => Number(element.style.zIndex))),
          )
          return (orders[0] ?? 0) > (orders[1] ?? 0)
        })
        .toBe(true)
    await isNearer('Meter', 'Plant')
    const box = await window('Plant').boundingBox()
    await page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 150)
    await isNearer('Plant', 'Meter')
    await page.keyboard.press('F6')
    await expectPage(window('Meter')).toBeFocused()
    await isNearer('Meter', 'Plant')
    await page.keyboard.press('F6')
    await expectPage(page.getByRole('main')).toBeFocused()
    await page.keyboard.press('Shift+F6')
    await expectPage(window('Meter')).toBeFocused()

    await expectPage(bar.getByRole('button', { name: 'Meter' })).toHaveAttribute('aria-pressed', 'true')
    await bar.getByRole('button', { name: 'Meter' }).click()
    await expectPage(window('Meter')).toHaveCount(0)
    await expectPage(bar.getByRole('button', { name: 'Plant' })).toHaveAttribute('aria-pressed', 'true')
    await bar.getByRole('button', { name: 'Plant' }).press('ArrowRight')
    await expectPage(bar.getByRole('button', { name: 'Meter, minimised' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expectPage(window('Meter')).toBeFocused()
  })

  test('DEC-43 DEC-23 a window navigates in its own history, and keeps its location when it becomes a page and a window again', async () => {
    const { page, window, openTile } = await open()
    await openTile('Plant')
    const pump = window('Plant').getByRole('link', { name: 'Pump 7' })
    await expectPage(pump).toHaveAttribute('href', `/app/plant/pumps/7?project=${projectId}`)
    await pump.click()
    await expectPage(window('Pump 7 · Plant')).toBeVisible()
    await expectPage(page).toHaveURL('/')
    await expectPage(page).toHaveTitle('Home · Pult')
    await window('Pump 7 · Plant').getByRole('button', { name: 'Window menu' }).click()
    await page.getByRole('menuitem', { name: 'Open as page' }).click()
    await expectPage(page).toHaveURL(/\/app\/plant\/pumps\/7\?project=/)
    await expectPage(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: 'Open in a window' }).click()
    await expectPage(window('Pump 7 · Plant')).toBeFocused()
    await expectPage(page).toHaveURL('/')
    // A reload and the browser's buttons do not open the window again.
    await page.keyboard.press('Escape')
    await page.reload()
    await expectPage(page.getByRole('list', { name: 'Apps' })).toBeVisible()
    await expectPage(page.getByRole('dialog')).toHaveCount(0)
    await openTile('Meter')
    await window('Meter').getByRole('link', { name: 'All projects' }).click()
    await expectPage(page).toHaveURL('/projects')
    await expectPage(window('Meter').getByText('The start.')).toBeVisible()
  })

  test('DEC-23 DEC-43 a window app has no address: its tile and its link open it over the home page', async () => {
    const { page, window } = await open({ path: '/app/clock/pumps/1' })
    await expectPage(window('Pump 7 · Clock')).toBeVisible()
    await expectPage(page).toHaveURL('/')
    await page.keyboard.press('Escape')
    await expectPage(window(/Clock/)).toHaveCount(0)
    await page.getByRole('main').getByRole('link', { name: 'Clock' }).click()
    await expectPage(window(/Clock/)).toBeFocused()
    await expectPage(page).toHaveURL('/')
    await window(/Clock/).getByRole('button', { name: 'Window menu' }).click()
    await expectPage(page.getByRole('menuitem', { name: 'Minimise' })).toBeVisible()
    await expectPage(page.getByRole('menuitem', { name: 'Open as page' })).toHaveCount(0)
  })

  test('DEC-31 SHELL-07 Esc closes the topmost layer only, and asks before input is lost', async () => {
    const { page, window, openTile } = await open()
    await openTile('Plant')
    await window('Plant').getByRole('link', { name: 'Pump 7' }).click()
    const pump = window('Pump 7 · Plant')
    await pump.getByRole('button', { name: 'Ask' }).click()
    await expectPage(page.getByRole('alertdialog', { name: 'Sure?' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expectPage(page.getByRole('alertdialog')).toHaveCount(0)
    await pump.getByRole('button', { name: 'Window menu' }).click()
    await expectPage(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expectPage(page.getByRole('menu')).toHaveCount(0)
    await expectPage(pump).toBeVisible()

    await pump.getByLabel('Name of the pump').fill('North')
    const ask = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await page.keyboard.press('Escape')
    await expectPage(ask).toBeVisible()
    await ask.getByRole('button', { name: 'Stay' }).click()
    await expectPage(pump.getByLabel('Name of the pump')).toHaveValue('North')
    // Navigation of the page below asks nothing. Navigation inside the window asks.
    await page.getByRole('navigation').getByRole('link', { name: 'Projects' }).click()
    await expectPage(page).toHaveURL('/projects')
    await pump.getByRole('link', { name: 'Back to the start' }).click()
    await expectPage(ask).toBeVisible()
    await ask.getByRole('button', { name: 'Stay' }).click()
    await pump.getByRole('button', { name: 'Close' }).click()
    await ask.getByRole('button', { name: 'Leave' }).click()
    await expectPage(pump).toHaveCount(0)
  })

  test('DEC-30 DEC-31 the input of a dialog in a window belongs to the window: leaving the window’s page asks, leaving the page below does not', async () => {
    const { page, window, openTile } = await open({ path: '/projects' })
    await page.getByRole('banner').getByRole('link', { name: 'Home' }).click()
    await openTile('Plant')
    await window('Plant').getByRole('link', { name: 'Pump 7' }).click()
    await window('Pump 7 · Plant').getByRole('button', { name: 'Note' }).click()
    const dialog = page.getByRole('dialog', { name: 'Note' })
    const text = dialog.getByLabel('Text')
    const ask = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await text.fill('Loud')
    await page.goBack()
    await expectPage(page).toHaveURL(({ pathname }) => pathname === '/projects')
    await expectPage(text).toHaveValue('Loud')
    await expectPage(ask).toHaveCount(0)

    await dialog.getByRole('link', { name: 'To the start' }).click()
    await ask.getByRole('button', { name: 'Stay' }).click()
    await expectPage(ask).toHaveCount(0)
    await expectPage(text).toHaveValue('Loud')
    await page.keyboard.press('Escape')
    await ask.getByRole('button', { name: 'Leave' }).click()
    await expectPage(dialog).toHaveCount(0)
    await expectPage(window('Pump 7 · Plant')).toBeVisible()
  })

  test('DEC-02 when the session ends, the same form keeps its separate input on the page, in a window and in another project', async () => {
    const { projectId: otherId } = await given.project(owner, { label: 'Hall 8', products: ['works'] })
    const pump = (id: string) => `/app/plant/pumps/7?project=${id}`
    const opened = await open()
    const { page, window, openTile } = opened
    await openTile('Plant')
    await window('Plant').getByRole('link', { name: 'Pump 7' }).click()
    await expectPage(window('Pump 7 · Plant')).toBeVisible()
    await page.goto(pump(projectId))
    const onPage = page.getByRole('main').getByLabel('Name of the pump')
    const inWindow = window('Pump 7 · Plant').getByLabel('Name of the pump')
    await onPage.fill('Of the page')
    await inWindow.fill('Of the window')
    await endSessionElsewhere(server, opened)
    await signIn(opened, owner)
    await expectPage(onPage).toHaveValue('Of the page')
    await expectPage(inWindow).toHaveValue('Of the window')

    await endSessionElsewhere(server, opened)
    await page.goto(pump(otherId))
    await signIn(opened, owner)
    await expectPage(onPage).toHaveValue('')
    await page.goto(pump(projectId))
    await expectPage(onPage).toHaveValue('Of the page')
    await expectPage(inWindow).toHaveValue('Of the window')
  })

  test('DEC-30 a new project asks before it discards the input of a window; Stay opens no project, and Save asks again', async () => {
    const { page, window, openTile } = await open()
    await openTile('Plant')
    await window('Plant').getByRole('link', { name: 'Pump 7' }).click()
    const pump = window('Pump 7 · Plant').getByLabel('Name of the pump')
    await pump.fill('North')
    await page.getByRole('navigation').getByRole('link', { name: 'Projects' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Create project' }).press('Enter')
    await page.getByRole('textbox', { name: 'Label' }).fill('Hall 9')
    const stored = () => page.evaluate(() => localStorage.getItem('pult.activeProjectId'))
    const before = await stored()
    const save = page.getByRole('button', { name: 'Save', exact: true })
    const ask = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await save.press('Enter')
    await ask.getByRole('button', { name: 'Stay' }).click()
    await expectPage(ask).toHaveCount(0)
    await expectPage(pump).toHaveValue('North')
    expect(await stored()).toBe(before)
    await save.press('Enter')
    await ask.getByRole('button', { name: 'Leave' }).click()
    await expectPage(page.getByRole('heading', { level: 1, name: 'Hall 9' })).toBeVisible()
    const { items } = (await owner.call(projectEndpoints.list)).body
    expect(items.filter(({ label }) => label === 'Hall 9')).toHaveLength(1)
  })

  test('SHELL-07 Ctrl+S saves in the focused window only', async () => {
    const { page, window, openTile } = await open()
    for (const name of ['Plant', 'Meter']) {
      await openTile(name)
      await window(name).getByRole('link', { name: 'Pump 7' }).click()
      await expectPage(window(`Pump 7 · ${name}`)).toBeVisible()
    }
    const saved = (name: string) => window(`Pump 7 · ${name}`).locator('output')
    await window('Pump 7 · Plant').getByLabel('Name of the pump').focus()
    await page.keyboard.press('ControlOrMeta+s')
    await expectPage(saved('Plant')).toHaveText('Saved 1')
    await expectPage(saved('Meter')).toHaveText('Saved 0')
    await page.mouse.click(1200, 700)
    await page.keyboard.press('ControlOrMeta+s')
    await page.keyboard.press('F6')
    await page.keyboard.press('F6')
    await page.keyboard.press('ControlOrMeta+s')
    await expectPage(saved('Meter')).toHaveText('Saved 1')
    await expectPage(saved('Plant')).toHaveText('Saved 1')
  })

  test('SHELL-04 BUILD-03 windows belong to a user and a project; those of root apps stay when the project changes', async () => {
    const { projectId: otherId } = await given.project(owner, { label: 'Hall 8', products: ['works'] })
    const { page, window, openTile, drag, place } = await open({ path: null })
    const activate = async (id: string) => {
      await page.evaluate((value) => localStorage.setItem('pult.activeProjectId', value), id)
      await page.reload()
    }
    await page.addInitScript((id) => {
      if (localStorage.getItem('pult.activeProjectId') === null)
        localStorage.setItem('pult.activeProjectId', id)
    }, projectId)
    await page.goto('/root')
    await openTile('Admin')
    await page.getByRole('banner').getByRole('link', { name: 'Home' }).click()
    await openTile('Plant')
    await drag('Plant', { x: 700, y: headerHeight + 400 })
    await expectPage.poll(() => place('Plant')).toEqual([700, 400, 400, 200])
    await activate(otherId)
    await expectPage(window('Admin')).toBeVisible()
    await expectPage(window('Plant')).toHaveCount(0)
    await openTile('Plant')
    expect(await place('Plant')).not.toEqual([700, 400, 400, 200])
    await activate(projectId)
    await expectPage.poll(() => place('Plant')).toEqual([700, 400, 400, 200])
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem('pult.windowConfig') ?? '{}'))
    expect(kept[`${owner.personId} ${projectId}`].plant).toMatchObject({
      position: { x: 700, y: 400 },
      size: { width: 400, height: 200 },
    })
    // Another user of the same browser has separate windows.
    const colleague = await given.person({ isRoot: true })
    await page.evaluate((token) => localStorage.setItem('pult.token', token), colleague.token)
    await page.reload()
    await expectPage(page.getByRole('list', { name: 'Apps' })).toBeVisible()
    await expectPage(page.getByRole('dialog')).toHaveCount(0)
  })

  test('DEC-31 on a smaller screen the title bar stays within reach from any stored position', async () => {
    const far = { position: { x: 5000, y: 4000 }, size: { width: 3000, height: 2000 }, state: 'free' }
    const remembered = { ...far, isMinimised: false, isOpen: true, path: '', order: 1 }
    const { page, window, place } = await open({ path: null, viewport: { width: 640, height: 400 } })
    await page.addInitScript(
      ([key, windows]) => localStorage.setItem('pult.windowConfig', JSON.stringify({ [key ?? '']: windows })),
      [
        `${owner.personId} ${projectId}`,
        { plant: remembered, meter: { ...remembered, size: 'broken' } },
      ] as const,
    )
    await page.addInitScript((id) => localStorage.setItem('pult.activeProjectId', id), projectId)
    await page.goto('/')
    await expectPage(window('Plant')).toBeVisible()
    const [x = 0, y = 0, width = 0, height = 0] = await place('Plant')
    const header = (await page.getByRole('banner').boundingBox())?.height ?? 0
    expect([width, height]).toEqual([640, 400 - header])
    expect(x).toBe(640 - 120)
    expect(y).toBe(400 - headerHeight - 40)
    await expectPage(window('Plant').getByRole('heading', { name: 'Plant' })).toBeInViewport()
    await expectPage(window('Meter')).toHaveCount(0)
  })

  test('SHELL-04 on a phone a window is a sheet, one at a time', async () => {
    const opened = await open({ viewport: { width: 390, height: 844 } })
    const { page, window, bar } = opened
    const openInWindow = async (id: string, label: string) => {
      await page.goto(`/app/${id}`)
      await page.getByRole('button', { name: 'Open in a window' }).click()
      await expectPage(window(label)).toBeFocused()
    }
    await expectPage(
      page.getByRole('list', { name: 'Apps' }).getByRole('link', { name: 'Plant' }),
    ).toBeVisible()
    await expectPage(page.getByRole('button', { name: 'Open Plant in a window' })).toBeHidden()
    await openInWindow('plant', 'Plant')
    const box = await window('Plant').boundingBox()
    expect(box).toMatchObject({ x: 0, width: 390 })
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBe(844)
    await opened.expectAccessible()
    await window('Plant').getByRole('button', { name: 'Minimise' }).click()
    await openInWindow('meter', 'Meter')
    await bar.getByRole('button', { name: 'Plant, minimised' }).click()
    await expectPage(window('Plant')).toBeVisible()
    await expectPage(window('Meter')).toHaveCount(0)
    await window('Plant').getByRole('button', { name: 'Close' }).click()
    await expectPage(window('Meter')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  test('nolanlawson/pinafore#60 Back closes the sheet of a phone, and no window of a desk', async () => {
    const { page, window } = await open({ viewport: { width: 390, height: 844 }, path: null })
    // Only phones send such requests.
    await page.addInitScript(() => {
      const watchers: EventTarget[] = []
      class CloseWatcher extends EventTarget {
        constructor() {
          super()
          watchers.push(this)
        }
        destroy() {
          if (watchers.includes(this)) watchers.splice(watchers.indexOf(this), 1)
        }
      }
      const back = () => watchers.pop()?.dispatchEvent(new Event('close'))
      Object.assign(globalThis, { CloseWatcher, watchers, back })
    })
    await page.goto('/app/plant')
    await page.getByRole('button', { name: 'Open in a window' }).click()
    await expectPage(window('Plant')).toBeFocused()
    await page.evaluate('back()')
    await expectPage(window('Plant')).toHaveCount(0)
    expect(await page.evaluate('watchers.length')).toBe(0)
    await page.goto('/app/plant')
    await page.getByRole('button', { name: 'Open in a window' }).click()
    await expectPage(window('Plant')).toBeFocused()
    await page.setViewportSize(desk)
    await expectPage.poll(() => page.evaluate('watchers.length')).toBe(0)
    await expectPage(window('Plant')).toBeVisible()
  })

  test('APP-04 an app that the user may not open cannot be a window either', async () => {
    const colleague = await given.person()
    const { page } = await openConsole(server, { as: colleague, path: '/app/clock' })
    await expectPage(page.getByText('You cannot open this app')).toBeVisible()
    await expectPage(page.getByRole('dialog')).toHaveCount(0)
  })

  test('APP-04 a window whose app is revoked closes with a message, and accessible ones stay', async () => {
    const keeper = await given.person()
    const { projectId: hiredId, grantIds } = await given.project(owner, {
      products: ['works', 'hire'],
      grants: [{ person: keeper, productRole: 'works/keeper' }],
    })
    const opened = await openConsole(server, { as: keeper })
    const { page } = opened
    const { window, openTile } = handles(opened)
    for (const label of ['Plant', 'Crane', 'Secret']) await openTile(label)
    const owning = await openConsole(server, { as: owner, path: `/?project=${hiredId}` })
    await handles(owning).openTile('Crane')
    const changed = await owner.call(projectEndpoints.changeProductRole, {
      params: { projectId: hiredId, grantId: grantIds[0] ?? '' },
      body: { productRole: 'works/guest' },
    })
    expect(changed).toSucceed()
    await expectPage(page.getByText('You do not have access to Secret in this project.')).toBeVisible()
    await expectPage(window('Secret')).toHaveCount(0)
    await expectPage(window('Crane')).toBeFocused()

    expect(await owner.call(rootExtensionEndpoints.disable, { params: { name: 'hire' } })).toSucceed()
    await expectPage(page.getByText('You do not have access to Crane in this project.')).toBeVisible()
    // The owner holds every role.
    await expectPage(owning.page.getByText('Crane is not available')).toBeVisible()
    await expectPage(window('Crane')).toHaveCount(0)
    await expectPage(window('Plant')).toBeFocused()
    // Closing a window produces no message.
    await page.keyboard.press('Escape')
    await expectPage(window('Plant')).toHaveCount(0)
    await expectPage(page.getByText('You do not have access to Plant in this project.')).toHaveCount(0)
  })

  test('DEC-19 the message about a window that closed leads to a request for a role that opens its app', async () => {
    const keeper = await given.person()
    const { projectId: hiredId, grantIds } = await given.project(owner, {
      products: ['works'],
      grants: [{ person: keeper, productRole: 'works/keeper' }],
    })
    const opened = await openConsole(server, { as: keeper })
    const { page } = opened
    await handles(opened).openTile('Secret')
    const params = { projectId: hiredId, grantId: grantIds[0] ?? '' }
    const body = { productRole: 'works/guest' }
    expect(await owner.call(projectEndpoints.changeProductRole, { params, body })).toSucceed()
    await page.getByRole('button', { name: 'Ask for access' }).click()
    const asking = page.getByRole('dialog', { name: 'Ask for access' })
    await expectPage(asking.getByLabel('Role')).toHaveValue('works/keeper')
    await expectPage(asking.getByRole('option')).toHaveCount(1)
    await asking.getByRole('button', { name: 'Send request' }).click()
    await expectPage(page.getByText('Request sent')).toBeVisible()
  })

  test('adjacent, snapped and minimised windows have no axe findings in each theme and width', async () => {
    const opened = await open()
    const { page, openTile } = opened
    for (const label of ['Meter', 'Plant']) await openTile(label)
    await page.keyboard.press('ControlOrMeta+Alt+ArrowLeft')
    await page.getByRole('main').getByRole('link', { name: 'Clock' }).press('Enter')
    await expectPage(opened.window('Clock')).toBeFocused()
    await page.keyboard.press('ControlOrMeta+Alt+ArrowDown')
    await opened.expectAccessibleInLooks()
    expect(opened.complaints).toEqual([])
  })
})
