import { randomUUID } from 'node:crypto'
import {
  type DeckAction,
  edgeDeckEndpoints,
  edgeEndpoints,
  ownEdgeDeckEndpoints,
  streamDeckEndpoints,
  taskEndpoints,
} from '@pult/contract'
import { expectPage, type GivenPerson, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { sql } from 'kysely'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { endSessionElsewhere, signIn } from '#platform/testing/sessions.ts'
import { stayWhenAsked } from '#platform/testing/stay-when-asked.ts'
import { type FakeDeck, plugDecks } from './testing/fake-decks.ts'

const path = '/settings/stream-decks'
const mk2: FakeDeck = {
  serial: 'AL12H1A00001',
  firmware: '1.03.000',
  productId: 0x0080,
  keys: 15,
  isAllowed: true,
}
const xl: FakeDeck = {
  serial: 'CL45I2B00777',
  firmware: '1.01.000',
  productId: 0x006c,
  keys: 32,
  isAllowed: true,
}

describe('Stream Decks', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server
  const { read, update } = streamDeckEndpoints

  const settingsOf = async (person: GivenPerson) => (await person.call(read)).body
  const home: DeckAction = { type: 'url', url: '/projects' }
  const key = (slot: number, at: number, action: DeckAction | null, label = '') => ({
    slot,
    key: at,
    label,
    icon: null,
    action,
  })

  const wallpaperText = ({ page }: OpenedConsole) =>
    page.getByRole('textbox', { name: 'Text over the whole deck' })

  const calls = /\/api\/me\/stream-decks$/

  /** Holds changes back until `pass` is called. Those sent before then wait until `fail` aborts them. */
  const holdChanges = async ({ page }: OpenedConsole) => {
    const failed = Promise.withResolvers<void>()
    let isHeld = true
    await page.route(calls, async (route) => {
      if (!isHeld || route.request().method() === 'GET') return route.fallback()
      await failed.promise
      await route.abort()
    })
    const pass = () => {
      isHeld = false
    }
    return { pass, fail: failed.resolve }
  }

  test('ROUTE-12 SHELL-02 the navigation leads to the settings of decks, among the other settings', async () => {
    const ada = await given.person()
    const { page, complaints } = await openConsole(server, { as: ada })
    await page.getByRole('navigation').getByRole('link', { name: 'Device settings' }).click()
    await expectPage(page).toHaveURL(path)
    await expectPage(page.getByRole('heading', { level: 1, name: 'Stream Decks' })).toBeVisible()
    await expectPage(page).toHaveTitle(/^Stream Decks · Settings · /)
    const pages = page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    await expectPage(pages).toHaveText(['Appearance', 'Language', 'Notifications', 'Stream Decks'])
    await expectPage(pages.nth(3)).toHaveAttribute('aria-current', 'page')
    expect(complaints).toEqual([])
  })

  test('DECK-01 the slider has steps of 0.02, shows percent, dims the picture immediately and saves automatically', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada, path })
    const slider = page.getByRole('slider', { name: 'Brightness' })
    const light = () =>
      page
        .locator('canvas')
        .first()
        .evaluate((canvas) => getComputedStyle(canvas).filter)
    await expectPage(slider).toHaveValue('0.7')
    await expectPage(page.getByText('70 %')).toBeVisible()
    const before = await light()
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('ArrowLeft')
    await expectPage(page.getByText('66 %')).toBeVisible()
    await eventually(light).not.toBe(before)
    await eventually(async () => settingsOf(ada)).toMatchObject({ brightness: 0.66, revision: 1 })
    await page.keyboard.press('Home')
    await expectPage(page.getByText('0 %', { exact: true })).toBeVisible()
    await page.keyboard.press('End')
    await expectPage(slider).toHaveAttribute('aria-valuetext', '100 %')
    await page.keyboard.press('Control+s')
    await expectPage(page.getByText('Saved', { exact: true })).toBeVisible()
    await eventually(async () => (await settingsOf(ada)).brightness).toBe(1)

    // Both changes are one undo step, because they came in quick succession.
    await page.keyboard.press('Control+z')
    await eventually(async () => (await settingsOf(ada)).brightness).toBeLessThan(1)
    await page.reload()
    await expectPage(slider).not.toHaveValue('1')
  })

  test('DECK-03 DEC-33 serials are tags of a slot, and adding one to a slot removes it from the previous slot', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada, path })
    const serials = page.getByRole('textbox', { name: 'Serial numbers' })
    for (const serial of ['AL01', 'AL02']) {
      await serials.fill(serial)
      await page.keyboard.press('Enter')
    }
    await serials.fill('no serial!')
    await page.keyboard.press('Enter')
    await expectPage(page.getByText('no serial! is not a serial number')).toBeVisible()
    await eventually(async () => (await settingsOf(ada)).mapping).toEqual({ 0: ['AL01', 'AL02'] })

    await page.getByRole('button', { name: 'Add a slot' }).click()
    await expectPage(page.getByText('AL01, AL02')).toBeVisible()
    await serials.fill('AL02')
    await page.keyboard.press('Enter')
    await eventually(async () => (await settingsOf(ada)).mapping).toEqual({ 0: ['AL01'], 1: ['AL02'] })
    await page.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => (await settingsOf(ada)).mapping).toEqual({ 0: ['AL01', 'AL02'] })
  })

  test('SHELL-07 DEC-33 a key is edited and pressed on the deck on screen by the keyboard alone', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada, path })
    await page.getByRole('button', { name: 'Key 1', exact: true }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await expectPage(page.getByRole('button', { name: 'Key 7', exact: true })).toBeFocused()
    await page.keyboard.press('Enter')
    await expectPage(page.getByRole('heading', { name: 'Slot 1 · Key 7' })).toBeVisible()
    await page.getByRole('textbox', { name: 'Label' }).fill('Projects ')
    await page
      .getByRole('combobox', { name: 'Action' })
      .selectOption({ label: 'Open a page of this console' })
    const address = page.getByRole('textbox', { name: 'Path' })
    await address.fill('https://example.org')
    await expectPage(page.getByText('Must be a path of this console')).toBeVisible()
    await address.fill('/projects')
    await page.getByRole('radio', { name: 'folder' }).press('Space')
    await eventually(async () => (await settingsOf(ada)).keys).toEqual([
      { ...key(0, 6, home, 'Projects'), icon: 'folder' },
    ])

    await page.getByRole('radio', { name: 'Use', exact: true }).press('Space')
    await expectPage(page.getByText('Press a key as you would on the deck')).toBeVisible()
    await page.getByRole('button', { name: 'Key 1', exact: true }).press('Enter')
    await expectPage(page.getByText('This key does nothing yet')).toBeVisible()
    await page.getByRole('button', { name: 'Key 7: Projects' }).press('Enter')
    await expectPage(page).toHaveURL('/projects')
  })

  test('DEC-29 another browser’s changes appear automatically, and a conflicting change is reported', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada, path })
    await expectPage(page.getByText('70 %')).toBeVisible()
    await ada.call(update, { body: { brightness: 0.3 } })
    await expectPage(page.getByText('30 %')).toBeVisible()

    // The other browser changed a different field, so both changes stay.
    const text = page.getByRole('textbox', { name: 'Text over the whole deck' })
    await text.fill('Halle')
    await ada.call(update, { body: { brightness: 0.4 } })
    await eventually(async () => settingsOf(ada)).toMatchObject({ brightness: 0.4, wallpaperText: 'Halle' })

    // Both changed the same field, so the user decides. This browser's request waits for that of the other one.
    const decide = async (choice: string) => {
      const written = Promise.withResolvers<void>()
      await page.route(/\/api\/me\/stream-decks$/, async (route) => {
        await written.promise
        await route.fallback()
      })
      await text.fill(`Mine, ${choice}`)
      await ada.call(update, { body: { wallpaperText: `Theirs, ${choice}` } })
      written.resolve()
      await expectPage(page.getByText('Also changed in another browser')).toBeVisible()
      await page.getByRole('button', { name: choice }).click()
    }
    await decide('Take theirs')
    await expectPage(text).toHaveValue('Theirs, Take theirs')
    await decide('Keep mine')
    await eventually(async () => (await settingsOf(ada)).wallpaperText).toBe('Mine, Keep mine')
  })

  test('DEC-30 a reload asks before it discards a change that is not saved, while other pages of the console keep it', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { as: ada, path })
    const { page } = opened
    const questions = stayWhenAsked(opened)
    const reload = () => page.evaluate(() => void setTimeout(() => location.reload()))
    const { pass, fail } = await holdChanges(opened)
    await wallpaperText(opened).click()
    await wallpaperText(opened).fill('Halle')
    await reload()
    await expectPage.poll(() => questions).toEqual(['beforeunload'])
    await expectPage(wallpaperText(opened)).toHaveValue('Halle')
    fail()
    await expectPage(page.getByText('Not saved', { exact: true })).toBeVisible()
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Language' }).click()
    await expectPage(page.getByRole('heading', { name: 'Language', level: 1 })).toBeVisible()
    await reload()
    await expectPage.poll(() => questions).toEqual(['beforeunload', 'beforeunload'])
    pass()
    await page.getByRole('link', { name: 'Stream Decks' }).click()
    await expectPage(wallpaperText(opened)).toHaveValue('Halle')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expectPage(page.getByText('Saved', { exact: true })).toBeVisible()
    expect((await settingsOf(ada)).wallpaperText).toBe('Halle')
    await page.reload()
    await expectPage(wallpaperText(opened)).toHaveValue('Halle')
    expect(questions).toHaveLength(2)
  })

  test('DEC-02 a change that is not saved when the session ends is saved after the next sign-in; a conflict stays to be resolved', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { as: { token: await ada.openSession() }, path })
    const { page } = opened
    const changeAndEnd = async (label: string) => {
      const { pass, fail } = await holdChanges(opened)
      const sent = page.waitForRequest((request) => calls.test(request.url()) && request.method() !== 'GET')
      await wallpaperText(opened).fill(label)
      await sent
      await endSessionElsewhere(server, opened)
      pass()
      return fail
    }
    const fail = await changeAndEnd('Halle')
    await signIn(opened, ada)
    await eventually(async () => (await settingsOf(ada)).wallpaperText).toBe('Halle')
    // The response to the old request does not affect changes of the new session.
    const failed = page.waitForEvent('requestfailed', (request) => calls.test(request.url()))
    fail()
    await failed
    await expectPage(page.getByText('Saved', { exact: true })).toBeVisible()

    await changeAndEnd('Mine')
    await ada.call(update, { body: { wallpaperText: 'Theirs' } })
    await signIn(opened, ada)
    await expectPage(page.getByText('Also changed in another browser')).toBeVisible()
    await endSessionElsewhere(server, opened)
    await signIn(opened, ada)
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await eventually(async () => (await settingsOf(ada)).wallpaperText).toBe('Mine')
  })

  test('DEC-33 a deck shows brightness and keys byte for byte, and receives only changes', async () => {
    const ada = await given.person()
    await ada.call(update, {
      body: { brightness: 0.5, mapping: { 0: [mk2.serial] }, keys: [key(0, 3, home, 'Projects')] },
    })
    const { page, complaints } = await openConsole(server, { as: ada, path: null })
    const decks = await plugDecks(page, [mk2])
    await page.goto(path)
    await expectPage(page.getByText(`Serial ${mk2.serial} · Firmware ${mk2.firmware}`)).toBeVisible()
    await expectPage(page.getByText('Stream Deck MK.2').last()).toBeVisible()
    await eventually(async () => decks.see(mk2.serial, 14)).not.toBeNull()

    const first = await decks.written(mk2.serial)
    expect(first.brightness).toEqual([50])
    // 32 bytes with the report id, all zero except the percentage.
    expect(first.features).toEqual([[0x03, 0x08, 50, ...Array.from({ length: 29 }, () => 0)]])
    expect(first.pictures.map(({ key: at }) => at).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 15 }, (_, index) => index),
    )
    for (const { pages, isWhole } of first.pictures) {
      expect(isWhole).toBe(true)
      expect(new Set(pages)).toEqual(new Set([1024]))
    }
    // Petrol at the top left, nearly black at the bottom right, as on screen.
    const [start, end] = [await decks.see(mk2.serial, 0), await decks.see(mk2.serial, 14)]
    expect(start).toMatchObject({ width: 72, height: 72 })
    expect(close(start?.quarters[0], [13, 72, 81])).toBe(true)
    expect(close(end?.quarters[3], [11, 27, 33])).toBe(true)

    const text = page.getByRole('slider', { name: 'Brightness' })
    await text.focus()
    await page.keyboard.press('ArrowRight')
    await eventually(async () => (await decks.written(mk2.serial)).brightness).toEqual([52])
    await page.getByRole('button', { name: /^Key 9/ }).click()
    await page.getByRole('textbox', { name: 'Label' }).fill('X')
    await eventually(async () => (await decks.written(mk2.serial)).pictures.map(({ key: at }) => at)).toEqual(
      [8],
    )
    expect(complaints).toEqual([])
  })

  test('timothycrosley/streamdeck-ui#242 a deck is drawn again when the page becomes visible, after a sleep, at a press after a pause, and every few minutes', async () => {
    const ada = await given.person()
    await ada.call(update, { body: { brightness: 0.5, mapping: { 0: [mk2.serial] } } })
    const { page, complaints } = await openConsole(server, { as: ada, path: null })
    const decks = await plugDecks(page, [mk2])
    await page.clock.install()
    await page.goto('/me')
    const drawn = { brightness: [50], keys: 15 }
    /** Everything that the deck has received since the last call that found it complete. */
    let received = { brightness: [] as number[], keys: 0 }
    const expectDrawn = async () => {
      await eventually(async () => {
        const { brightness, pictures } = await decks.written(mk2.serial)
        received = {
          brightness: [...received.brightness, ...brightness],
          keys: received.keys + pictures.length,
        }
        return received
      }).toEqual(drawn)
      received = { brightness: [], keys: 0 }
    }
    await expectDrawn()
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await expectDrawn()
    await page.clock.runFor(61_000)
    await decks.press(mk2.serial, 9)
    await expectDrawn()
    // The next press comes without a pause, so all that follows is of the next drawing.
    await decks.press(mk2.serial, 9)
    await page.clock.fastForward(30_000)
    await expectDrawn()
    await page.clock.runFor(310_000)
    await expectDrawn()
    expect(complaints).toEqual([])
  })

  test('timothycrosley/streamdeck-ui#185 labels that differ at their end differ on the key', async () => {
    const ada = await given.person()
    const label = (side: string) => `Restart video player hall north ${side}`
    const save = (side: string) =>
      ada.call(update, { body: { mapping: { 0: [mk2.serial] }, keys: [key(0, 3, home, label(side))] } })
    await save('left')
    const { page } = await openConsole(server, { as: ada, path: null })
    const decks = await plugDecks(page, [mk2])
    await page.goto(path)
    await eventually(async () => decks.see(mk2.serial, 14)).not.toBeNull()
    await decks.written(mk2.serial)
    await save('right')
    const drawn = async () => (await decks.written(mk2.serial)).pictures.map(({ key: at }) => at)
    await expect.poll(drawn).toEqual([3])
  })

  test('DECK-02 an uploaded picture covers the whole deck including bezels, with readable text', async () => {
    const ada = await given.person()
    await ada.call(update, { body: { brightness: 1, mapping: { 0: [mk2.serial] } } })
    const { page, complaints } = await openConsole(server, { as: ada, path: null })
    const decks = await plugDecks(page, [mk2])
    await page.goto(path)
    // As wide as the deck is high: red on the left, blue on the right, with the border behind a bezel.
    const half = (background: string) => ({
      create: { width: 230, height: 266, channels: 3 as const, background },
    })
    const picture = await sharp({ create: { width: 460, height: 266, channels: 3, background: '#ff0000' } })
      .composite([{ input: await sharp(half('#0000ff')).png().toBuffer(), left: 230, top: 0 }])
      .png()
      .toBuffer()
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'hall.png', mimeType: 'image/png', buffer: picture })
    await expectPage(page.getByText('hall.png', { exact: true })).toBeVisible()
    const quarters = async (at: number) => (await decks.see(mk2.serial, at))?.quarters ?? []
    await eventually(async () => close((await quarters(0))[0], [254, 0, 0])).toBe(true)
    await eventually(async () => close((await quarters(14))[3], [0, 0, 254])).toBe(true)
    // The border crosses the centre of the middle key.
    const middle = await quarters(7)
    expect(middle.map((colour) => close(colour, [254, 0, 0]))).toEqual([true, false, true, false])
    expect(middle.map((colour) => close(colour, [0, 0, 254]))).toEqual([false, true, false, true])
    expect((await settingsOf(ada)).wallpaper).toMatchObject({ type: 'file', name: 'hall.png' })

    // Neither red nor blue has a green component, so green pixels are the edges of letters.
    const text = page.getByRole('textbox', { name: 'Text over the whole deck' })
    await text.fill('MMMMMM')
    await eventually(async () => (await quarters(7)).some(([, green]) => green > 40)).toBe(true)

    await page.getByRole('button', { name: 'Remove the picture' }).click()
    await eventually(async () => (await settingsOf(ada)).wallpaper).toBeNull()
    expect(complaints).toEqual([])
  })

  test('DEC-33 TASK-01 a key that starts a task is created from a choice, and starts it', async () => {
    const ada = await given.person()
    const { projectId } = await given.project(ada)
    const start: DeckAction = { type: 'task', verb: 'start', task: 'project-export', project: projectId }
    const { page, complaints } = await openConsole(server, { as: ada, path: null })
    const held = Promise.withResolvers<void>()
    await page.route(/\/api\/projects(\?|$)/, async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto(`${path}?key=2`)
    const action = page.getByRole('combobox', { name: 'Action' })
    await expectPage(action).toBeDisabled()
    held.resolve()
    await action.selectOption({ label: 'Start a task' })
    await eventually(async () => (await settingsOf(ada)).keys).toEqual([
      { ...key(0, 2, start, 'Export the project'), icon: 'play' },
    ])
    await page.getByRole('button', { name: 'Press this key' }).click()
    await eventually(async () =>
      (await ada.call(taskEndpoints.list, { params: { projectId } })).body.items.map(({ type }) => type),
    ).toEqual(['project-export'])
    expect(complaints).toEqual([])
  })

  test('oxidecomputer/console#3359 a key keeps and shows its edge of a long list, another one is found by its name, and its state follows the edge', async () => {
    const ada = await given.person()
    const { projectId } = await given.project(ada, { products: ['edges'] })
    await sql`
      insert into edge (id, project_id, label) select gen_random_uuid(), ${projectId}, 'Box ' || lpad(n::text, 3, '0')
      from generate_series(1, 203) n`.execute(server.db)
    const edgeId = await given.edge(projectId, { label: 'Box 204' })
    const edge: DeckAction = { type: 'edge', edge: edgeId, project: projectId }
    const app: DeckAction = { type: 'app', app: 'gone', project: projectId }
    await ada.call(update, {
      body: { mapping: { 0: [mk2.serial] }, keys: [key(0, 0, edge, 'Box 204'), key(0, 1, app, 'Gone')] },
    })
    const { page, complaints, expectAccessible } = await openConsole(server, { as: ada, path: null })
    const decks = await plugDecks(page, [mk2])
    await page.goto(`${path}?key=0`)
    const select = page.getByRole('combobox', { name: 'Edge', exact: true })
    const chosen = select.locator('option:checked')
    await expectPage(chosen).toHaveText('Box 204')
    await expectPage(select.getByRole('option', { name: 'Box 200' })).toBeAttached()
    await expectPage(page.getByRole('searchbox', { name: 'Find a project' })).toHaveCount(0)
    await page.getByRole('searchbox', { name: 'Find an edge' }).fill('203')
    await expectPage(select.getByRole('option')).toHaveText(['Box 204', 'Box 203'])
    await expectAccessible()

    // The edge is on no first page, and its key follows its state all the same.
    await eventually(async () => decks.see(mk2.serial, 14)).not.toBeNull()
    await decks.written(mk2.serial)
    expect(await ada.call(edgeEndpoints.revoke, { params: { projectId, edgeId } })).toSucceed()
    await eventually(async () => (await decks.written(mk2.serial)).pictures.map(({ key: at }) => at)).toEqual(
      [0],
    )
    expect(await ada.call(edgeEndpoints.remove, { params: { projectId, edgeId } })).toSucceed()
    await page.reload()
    await expectPage(chosen).toHaveText('Deleted, or no longer accessible')
    await page.getByRole('searchbox', { name: 'Find an edge' }).fill('203')
    await select.selectOption('Box 203')
    await expectPage(chosen).toHaveText('Box 203')
    await eventually(async () => (await settingsOf(ada)).keys[0]?.action).not.toEqual(edge)

    await page.getByRole('button', { name: 'Key 2: Gone' }).click()
    await expectPage(
      page.getByRole('combobox', { name: 'App', exact: true }).locator('option:checked'),
    ).toHaveText('Deleted, or no longer accessible')
    expect(complaints).toEqual([])
  })

  test('oxidecomputer/console#3359 a picture of a project’s media is found by its name if one page does not list all', async () => {
    const ada = await given.person()
    await given.project(ada, { label: 'Messe', products: ['media-library'] })
    const { page } = await openConsole(server, { as: ada, path: null })
    const at = new Date().toISOString()
    const picture = (label: string) => ({
      _id: randomUUID(),
      label,
      tags: [],
      source: { type: 'image', formats: [] },
      state: 'ready',
      task: null,
      createdAt: at,
      revision: 1,
      updatedAt: at,
      updatedBy: null,
    })
    const counts = { image: 201, video: 0, audio: 0, failed: 0, isCapped: false }
    const pictures = Array.from({ length: 200 }, (_, number) => picture(`Picture ${number}`))
    const hall = picture('Hall')
    await page.route(/\/media\?.*kind=image/, (route) => {
      const isSearch = new URL(route.request().url()).searchParams.get('search') === 'hall'
      const found = isSearch ? { items: [hall] } : { items: pictures, next: 'more' }
      return route.fulfill({ json: { ...found, total: 201, counts } })
    })
    await page.goto(path)
    await page.getByRole('combobox', { name: 'From the media of a project' }).selectOption('Messe')
    const choice = page.getByRole('combobox', { name: 'Picture of this project' })
    await expectPage(choice.getByRole('option')).toHaveCount(201)
    await page.getByRole('searchbox', { name: 'Find a picture' }).fill('hall')
    const saved = page.waitForRequest(
      (request) => calls.test(request.url()) && (request.postData() ?? '').includes(hall._id),
    )
    await choice.selectOption('Hall')
    await saved
  })

  test('DEC-33 EDGE-01 a key that restarts an edge instance is created from a choice', async () => {
    const ada = await given.person()
    const { projectId } = await given.project(ada, { products: ['edges'] })
    const { body } = await ada.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall 7' } })
    server.watchSecret(body.code)
    const edgeId = body.edge._id
    const params = { projectId, edgeId }
    const { instances } = (await ada.call(edgeEndpoints.addInstance, { params, body: { label: 'Player' } }))
      .body
    const { page } = await openConsole(server, { as: ada, path: `${path}?key=2` })
    await page.getByRole('combobox', { name: 'Action' }).selectOption({ label: 'Restart an edge instance' })
    await page.getByRole('combobox', { name: 'Edge instance' }).selectOption({ label: 'Player' })
    const edge = instances[0]?._id ?? ''
    await eventually(async () => (await settingsOf(ada)).keys).toMatchObject([
      { action: { type: 'instance', edge, edgeId, project: projectId } },
    ])
    await page.getByRole('button', { name: 'Press this key' }).click()
    await expectPage(page.getByText('not connected')).toBeVisible()
  })

  test('DEC-33 a key of a deck runs its action on any page, in one tab of the browser only', async () => {
    const ada = await given.person()
    await ada.call(update, { body: { mapping: { 4: [mk2.serial] }, keys: [key(4, 7, home)] } })
    const opened = await openConsole(server, { as: ada, path: null })
    const decks = await plugDecks(opened.page, [mk2])
    await opened.page.goto('/me')
    await eventually(async () => decks.see(mk2.serial, 14)).not.toBeNull()

    const other = await openConsole(server, { as: ada, path: null, sameBrowserAs: opened })
    const othersDecks = await plugDecks(other.page, [mk2])
    await other.page.goto(path)
    await expectPage(other.page.getByText('Another tab controls your decks')).toBeVisible()
    expect(await othersDecks.isOpen(mk2.serial)).toBe(false)

    await decks.press(mk2.serial, 7)
    await expectPage(opened.page).toHaveURL('/projects')
    const pressed = () =>
      server.db
        .selectFrom('audit')
        .selectAll()
        .where('event', '=', 'deck-key.pressed')
        .where('actor_id', '=', ada.personId)
        .execute()
    await eventually(pressed).toHaveLength(1)

    await other.page.getByRole('button', { name: 'Use them here' }).click()
    await eventually(() => othersDecks.isOpen(mk2.serial)).toBe(true)
    await eventually(() => decks.isOpen(mk2.serial)).toBe(false)
    // The driving tab has closed, so the remaining tab takes over.
    await other.page.close()
    await eventually(() => decks.isOpen(mk2.serial)).toBe(true)
  })

  test('DEC-30 leaving the page asks before it discards a half-typed path, which is not saved', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada, path: `${path}?key=2` })
    await page
      .getByRole('combobox', { name: 'Action' })
      .selectOption({ label: 'Open a page of this console' })
    const address = page.getByRole('textbox', { name: 'Path' })
    const question = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    const language = page
      .getByRole('navigation', { name: 'Settings' })
      .getByRole('link', { name: 'Language' })
    await address.fill('projects')
    await language.click()
    await question.getByRole('button', { name: 'Stay' }).click()
    await expectPage(address).toHaveValue('projects')
    await address.fill('/projects')
    await eventually(async () => (await settingsOf(ada)).keys).toMatchObject([{ action: home }])
    await language.click()
    await expectPage(page.getByRole('heading', { name: 'Language', level: 1 })).toBeVisible()
  })

  test('DEC-30 a key that opens another project asks before unsaved input is lost; staying changes no project', async () => {
    const ada = await given.person()
    const { projectId } = await given.project(ada, { label: 'Hall 7', products: ['project'] })
    const { projectId: otherId } = await given.project(ada, { label: 'Hall 8', products: ['project'] })
    const app: DeckAction = { type: 'app', app: 'project-details', project: otherId }
    await ada.call(update, { body: { mapping: { 4: [mk2.serial] }, keys: [key(4, 7, app)] } })
    const opened = await openConsole(server, { as: ada, path: null })
    const { page } = opened
    const decks = await plugDecks(page, [mk2])
    const questions = stayWhenAsked(opened)
    await page.goto(`/me?project=${projectId}`)
    const name = page.getByLabel('First name')
    await name.click()
    await name.fill('Augusta')
    const stored = () => page.evaluate(() => localStorage.getItem('pult.activeProjectId'))
    const before = await stored()
    await eventually(async () => decks.see(mk2.serial, 14)).not.toBeNull()
    await decks.press(mk2.serial, 7)
    await expectPage.poll(() => questions).toEqual(['beforeunload'])
    await expectPage(name).toHaveValue('Augusta')
    expect(await stored()).toBe(before)

    await name.fill('Ada')
    await decks.press(mk2.serial, 7)
    await expectPage(page).toHaveURL(
      ({ pathname, searchParams }) =>
        pathname.startsWith('/app/project-details') && searchParams.get('project') === otherId,
    )
    await expectPage(page.getByRole('banner')).toContainText('Hall 8')
    expect(questions).toHaveLength(1)
  })

  test('DEC-33 decks are connected, identified, unplugged, plugged in again and forgotten', async () => {
    const ada = await given.person()
    const { page, complaints } = await openConsole(server, { as: ada, path: null })
    const decks = await plugDecks(page, [
      { ...mk2, isAllowed: false },
      { ...xl, isAllowed: false },
    ])
    await page.goto(path)
    await expectPage(page.getByText('No deck is connected')).toBeVisible()
    await page.getByRole('button', { name: 'Connect a deck' }).click()
    await expectPage(page.getByText(`Serial ${xl.serial}`)).toBeVisible()
    await expectPage(page.getByText(`Serial ${mk2.serial}`)).toBeVisible()
    await page.getByRole('combobox', { name: `Slot of ${xl.serial}` }).selectOption({ label: 'Slot 3' })
    await eventually(async () => (await settingsOf(ada)).mapping).toEqual({ 2: [xl.serial] })
    await eventually(async () => (await decks.see(xl.serial, 31))?.width).toBe(96)

    await decks.written(mk2.serial)
    await page.getByRole('button', { name: `Identify ${mk2.serial}` }).click()
    const seen: number[] = []
    await eventually(async () => {
      seen.push(...(await decks.written(mk2.serial)).brightness)
      return seen
    }).toEqual([100, 0, 100, 0, 100, 0, 70])
    // Afterwards the deck shows its previous content.
    await eventually(async () => close((await decks.see(mk2.serial, 0))?.quarters[0], [13, 72, 81])).toBe(
      true,
    )

    await decks.unplug(xl.serial)
    await expectPage(page.getByText(`Serial ${xl.serial}`)).toHaveCount(0)
    await decks.written(xl.serial)
    await decks.plug(xl.serial)
    await expectPage(page.getByText(`Serial ${xl.serial}`)).toBeVisible()
    await eventually(async () => (await decks.written(xl.serial)).pictures.length).toBeGreaterThan(0)

    await page.getByRole('button', { name: `Disconnect ${mk2.serial}` }).click()
    await expectPage(page.getByText(`Serial ${mk2.serial}`)).toHaveCount(0)
    await decks.unplug(mk2.serial)
    await decks.plug(mk2.serial)
    await expectPage(page.getByText(`Serial ${mk2.serial}`)).toHaveCount(0)
    await expectPage(page.getByText(`Serial ${xl.serial}`)).toBeVisible()
    expect(complaints).toEqual([])
  })

  test('DECK-03 a deck without a usable serial number, a repeated one and a silent one disturb neither each other nor the settings', async () => {
    const ada = await given.person()
    await ada.call(update, { body: { mapping: { 1: [mk2.serial] }, keys: [key(1, 7, home, 'Projects')] } })
    const { page, complaints, expectAccessible } = await openConsole(server, { as: ada, path: null })
    const decks = await plugDecks(page, [
      { ...mk2, id: 'odd', serial: 'Invalid SN! ' },
      { ...mk2, id: 'twin' },
      { ...xl, faults: ['open-busy'] },
      mk2,
    ])
    await page.goto(path)
    const rows = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: /^Disconnect/ }) })
    await expectPage(rows).toHaveCount(4)
    await expectPage(rows.filter({ hasText: 'No readable serial number' })).toHaveCount(1)
    await expectPage(rows.filter({ hasText: 'has the same serial number' })).toHaveCount(1)
    const faulty = rows.filter({ hasText: 'The deck does not work' })
    await expectPage(faulty).toContainText('Another program')
    await expectAccessible()
    // All others show their content, and the deck without a number takes no slot.
    for (const id of ['odd', 'twin', mk2.serial])
      await eventually(async () => decks.see(id, 14)).not.toBeNull()
    await expectPage(page.getByRole('combobox', { name: /^Slot of/ })).toHaveCount(2)
    await decks.press('odd', 7)
    await decks.fail('twin', 'picture-throws')
    await page.getByRole('combobox', { name: `Slot of ${mk2.serial}`, exact: true }).selectOption('Slot 3')
    await eventually(async () => (await settingsOf(ada)).mapping).toEqual({ 2: [mk2.serial] })
    await expectPage(page.getByText('Saved', { exact: true })).toBeVisible()
    await eventually(() => decks.isOpen('twin')).toBe(false)
    expect(await decks.isOpen(mk2.serial)).toBe(true)
    expect(page.url()).toContain(path)
    // In one step, because the page also tries on its own.
    const retry = faulty.filter({ hasText: 'cannot open device' }).getByRole('button', { name: /^Try/ })
    await retry.evaluate((button: HTMLElement, serial) => {
      const { fakeDecks } = window as unknown as { fakeDecks: Record<string, { fail: () => void }> }
      fakeDecks[serial]?.fail()
      button.click()
    }, xl.serial)
    await expectPage(page.getByText(`Serial ${xl.serial}`)).toBeVisible()

    for (let times = 0; times < 200; times += 1) {
      await decks.unplug('odd')
      await decks.plug('odd')
    }
    await eventually(() => decks.isOpen('odd')).toBe(true)
    expect(await decks.listeners('odd')).toBe(1)
    await eventually(() => decks.listeners('twin')).toBe(0)
    expect(complaints).toEqual([])
  })

  test('bitfocus/companion#1413 a deck that fails, and code that does not load, are tried again without a user', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada, path: null })
    await page.clock.install()
    const decks = await plugDecks(page, [{ ...mk2, faults: ['open-busy'] }])
    const code = /\/assets\/DeckRunner-[^/]*\.js$/
    await page.route(code, (route) => route.abort())
    const failed = page.waitForEvent('requestfailed', (request) => code.test(request.url()))
    await page.goto(path)
    await failed
    await page.unroute(code)
    await page.clock.fastForward(10_000)
    await expectPage(page.getByText('The deck does not work')).toBeVisible()
    await decks.fail(mk2.serial)
    // The check every 10 s finds it at the end of its pause of 10 s.
    await page.clock.fastForward(20_000)
    await expectPage(page.getByText(`Serial ${mk2.serial}`)).toBeVisible()

    await decks.fail(mk2.serial, 'picture-throws')
    await wallpaperText({ page } as OpenedConsole).fill('Messe')
    await expectPage(page.getByText('The deck does not work')).toBeVisible()
    await decks.fail(mk2.serial)
    // The pause has doubled, but a user who comes back does not wait for it.
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await eventually(async () => decks.see(mk2.serial, 14)).not.toBeNull()
    await expectPage(page.getByText(`Serial ${mk2.serial}`)).toBeVisible()
  })

  test('huridocs/uwazi#4002 a wallpaper whose medium was deleted is named as such, and stays chosen', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada, path: null })
    const medium = {
      project: '018f0000-0000-7000-8000-000000000000',
      medium: '018f0000-0000-7000-8000-000000000001',
    }
    let wallpaperSrc: string | null = null
    await page.route(calls, async (route) => {
      const settings = await (await route.fetch()).json()
      await route.fulfill({ json: { ...settings, wallpaper: { type: 'medium', ...medium }, wallpaperSrc } })
    })
    await page.goto(path)
    const wallpaper = page.getByRole('group', { name: 'Wallpaper' })
    await expectPage(wallpaper).toContainText('The picture was deleted, or you can no longer see it')
    await expectPage(wallpaper.getByRole('button', { name: 'Remove the picture' })).toBeVisible()
    wallpaperSrc = '/favicon.svg'
    await page.reload()
    await expectPage(wallpaper).toContainText('A picture of a project’s media')
  })

  test('a user agrees to a deck at an edge that asks for it, sees it act in the user’s name, and withdraws', async () => {
    const owner = await given.person()
    const ada = await given.person()
    const { projectId } = await given.project(owner, {
      label: 'Harbour',
      products: ['project', 'edges'],
      grants: [{ person: ada, productRole: 'edges/viewer' }],
    })
    const made = await owner.call(edgeEndpoints.enrol, { params: { projectId }, body: { label: 'Hall 3' } })
    server.watchSecret(made.body.code)
    const edgeId = made.body.edge._id
    const serial = 'AL01'
    await server.db.insertInto('edge_deck').values({ edge_id: edgeId, serial, picture: null }).execute()
    const params = { projectId, edgeId, serial }
    const body = { account: ada.personId }
    expect(await owner.call(edgeDeckEndpoints.update, { params, body })).toSucceed()
    const decks = async () => (await ada.call(ownEdgeDeckEndpoints.list)).body.items

    const { page, complaints, expectAccessible } = await openConsole(server, { as: ada, path })
    const heading = page.getByRole('heading', { name: 'Decks at edges in your name' })
    const card = page.locator('section').filter({ has: heading })
    await expectPage(card).toContainText('Harbour · Serial AL01')
    await expectPage(card).toContainText('Waits for your consent')
    await expectAccessible()
    await card.getByRole('button', { name: 'Agree to AL01 at Hall 3' }).click()
    await expectPage(card).toContainText('Acts in your name, agreed')
    expect(await decks()).toMatchObject([{ agreedAt: expect.any(String) }])
    await expectAccessible()
    await card.getByRole('button', { name: 'Withdraw from AL01 at Hall 3' }).click()
    await card.waitFor({ state: 'detached' })
    expect(await decks()).toEqual([])
    expect(complaints).toEqual([])
  })

  test('DECK-01 a change that the server refuses is undone with a message, and every other change is saved', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada, path })
    const slider = page.getByRole('slider', { name: 'Brightness' })
    await expectPage(slider).toHaveValue('0.7')
    // A page of an earlier release can send a serial number that the server does not accept.
    await page.route(calls, async (route) => {
      const body = route.request().postDataJSON() as { mapping?: object } | null
      if (body?.mapping === undefined) return route.fallback()
      await route.fallback({ postData: JSON.stringify({ ...body, mapping: { 0: ['Invalid SN! '] } }) })
    })
    const serials = page.getByRole('textbox', { name: 'Serial numbers' })
    await serials.fill('AL09')
    await page.keyboard.press('Enter')
    await wallpaperText({ page } as OpenedConsole).fill('Messe')
    await expectPage(page.getByText('A change was refused and undone')).toBeVisible()
    await eventually(async () => settingsOf(ada)).toMatchObject({ wallpaperText: 'Messe', mapping: {} })
    await expectPage(page.getByRole('button', { name: 'Remove AL09' })).toHaveCount(0)
    await slider.focus()
    await page.keyboard.press('ArrowLeft')
    await eventually(async () => settingsOf(ada)).toMatchObject({ brightness: 0.68 })
    await expectPage(page.getByText('Saved', { exact: true })).toBeVisible()
  })

  test('DEC-33 a browser without deck support shows a notice, and the rest of the page works', async () => {
    const ada = await given.person()
    const { page } = await openConsole(server, { as: ada, path: null })
    await page.addInitScript(() => {
      Reflect.deleteProperty(Navigator.prototype, 'hid')
    })
    await page.goto(path)
    await expectPage(page.getByText('This browser cannot use decks')).toBeVisible()
    await expectPage(page.getByRole('button', { name: 'Key 15', exact: true })).toBeVisible()
  })

  test('DECK-01 DECK-02 DECK-03 accessible in each theme and width', async () => {
    const ada = await given.person()
    await ada.call(update, {
      body: {
        wallpaperText: 'Messe Nord',
        mapping: { 0: [mk2.serial], 2: ['XL9'] },
        keys: [key(0, 0, home, 'Projects')],
      },
    })
    const opened = await openConsole(server, { as: ada, path: null })
    const decks = await plugDecks(opened.page, [mk2])
    await opened.page.goto(`${path}?key=0`)
    await expectPage(opened.page.getByText(`Serial ${mk2.serial}`)).toBeVisible()
    await eventually(async () => decks.see(mk2.serial, 14)).not.toBeNull()
    await opened.expectAccessibleInLooks()
    expect(opened.complaints).toEqual([])
  })
})

/** Allows for a busy machine. */
const eventually = <Value>(value: () => Promise<Value>) => expect.poll(value)

/** Returns whether two colours are equal within the error of JPEG compression. */
function close(colour: readonly number[] | undefined, expected: readonly number[]): boolean {
  return colour !== undefined && colour.every((channel, at) => Math.abs(channel - (expected[at] ?? 0)) <= 6)
}
