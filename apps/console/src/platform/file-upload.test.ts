import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expectPage, extensionFolder, openConsole, testServer } from '@pult/testkit'
import { type RawBuilder, sql } from 'kysely'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'

/** The output of an author's build. The app shows the upload state it receives. */
const entry = `
import { createElement as h, useState } from 'react'
import { ApiError, defineExtension, useProject } from '@pult/sdk'
import { FileUpload } from '@pult/sdk/ui'

const failed = new Set()
function Uploads({ options }) {
  const { _id } = useProject()
  const [lines, setLines] = useState([])
  const onUploaded = async ({ name, size, contentType, filename }) => {
    if (name === 'unwanted.png') throw new Error('This one is not wanted')
    if (name === 'late.png' && !failed.has(name)) {
      failed.add(name)
      throw new ApiError({ code: 'NETWORK', status: 0, message: 'The server cannot be reached' })
    }
    setLines((now) => [...now, name + ' ' + size + ' ' + contentType + ' ' + filename.length])
  }
  return h('section', { 'aria-label': 'Uploads' },
    h(FileUpload, { ...options, project: _id, onUploaded, description: 'Pictures of the stand' }),
    h('ul', { 'aria-label': 'Uploaded' }, lines.map((line) => h('li', { key: line }, line))))
}
const page = (path, options) => ({ name: 'app-uploads-' + path, path, Component: () => h(Uploads, { options }) })
const routes = [page('one', {}), page('many', { multiple: true, accept: 'image/png,text/csv' })]

export default defineExtension({
  register: ({ registerApp }) => registerApp({ id: 'uploads', loader: async () => ({ default: { routes } }) }),
})
`
const extensionsFolder = await extensionFolder({
  uploads: {
    manifest: {
      id: 'uploads',
      products: [{ sku: 'uploads', label: 'Uploads', roles: [] }],
      apps: [
        {
          id: 'uploads',
          uuid: '0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d21',
          label: 'Uploads',
          icon: 'upload',
          productSku: 'uploads',
        } as { id: string; label: string },
      ],
    },
    files: { 'entry.js': entry },
  },
})
const server = await testServer({ withConsole: true, extensionsFolder })
const { given } = server
const owner = await given.person({ firstname: 'Ada' })
await given.project(owner, { label: 'Messe', products: ['uploads'] })

const png = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()
const picture = (name: string, more = 0) => ({
  name,
  mimeType: 'image/png',
  buffer: Buffer.concat([png, Buffer.alloc(more)]),
})
const uploadAddress = /\/api\/uploads\//

async function open(
  path: string,
  more: { theme?: 'dark' | 'light'; viewport?: { width: number; height: number } } = {},
) {
  const opened = await openConsole(server, {
    as: { token: await owner.openSession() },
    path: `/app/uploads/${path}`,
    ...more,
  })
  const area = opened.page.getByRole('region', { name: 'Uploads' })
  await expectPage(area).toBeVisible()
  return {
    ...opened,
    area,
    picker: area.locator('input[type=file]'),
    lines: area.getByRole('list').getByRole('listitem'),
  }
}

const partsOnDisk = () => readdir(join(server.dataFolder, 'files/parts')).catch(() => [])

test('FILE-01 FILE-02 a picture is chosen by keyboard, uploaded with progress, and passed to the app', async () => {
  const { page, area, lines, complaints, expectAccessible } = await open('one')
  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a file' }).press('Enter')
  const chooser = await choosing
  expect(chooser.isMultiple()).toBe(false)
  expect(await chooser.element().getAttribute('accept')).toMatch(/^image\/\*$/)

  const held = Promise.withResolvers<void>()
  await page.route(uploadAddress, async (route) => {
    await held.promise
    await route.continue()
  })
  await chooser.setFiles(picture('stand.png'))
  await expectPage(area.getByRole('progressbar', { name: /stand\.png/ })).toBeVisible()
  // The button that replaces the pressed one takes the focus.
  await expectPage(page.getByRole('button', { name: 'Abort' })).toBeFocused()
  await expectAccessible()
  held.resolve()
  await expectPage(lines).toHaveText(`stand.png ${png.length} image/png 32`)
  await expectPage(page.getByRole('button', { name: 'Choose a file' })).toBeFocused()
  expect(complaints).toEqual([])
})

test('FILE-03 a drop takes accepted types only, and one file unless several are requested', async () => {
  const drop = async (opened: Awaited<ReturnType<typeof open>>) => {
    const data = await opened.page.evaluateHandle(
      (bytes) => {
        const transfer = new DataTransfer()
        const add = (name: string, type: string, content: BlobPart) =>
          transfer.items.add(new File([content], name, { type }))
        add('a.png', 'image/png', new Uint8Array(bytes))
        add('b.csv', 'text/csv', 'a;b')
        add('c.pdf', 'application/pdf', '%PDF-1.4')
        return transfer
      },
      [...png],
    )
    await opened.area.getByRole('button', { name: /Choose/ }).dispatchEvent('drop', { dataTransfer: data })
  }
  const many = await open('many')
  await drop(many)
  await expectPage(many.lines).toHaveText([/^a\.png /, /^b\.csv 3 text\/csv/])
  await expectPage(many.area.getByRole('alert')).toHaveText(
    /Upload failed.*c\.pdf: Files of this type are not accepted here/,
  )
  await expectPage(many.page.getByRole('button', { name: 'Retry' })).toHaveCount(0)
  await many.page.getByRole('button', { name: 'Dismiss' }).click()
  await expectPage(many.area.getByRole('alert')).toHaveCount(0)

  const one = await open('one')
  await drop(one)
  await expectPage(one.lines).toHaveText([/^a\.png /])
})

test('FILE-02 a rejected file shows `Upload failed` with the server’s message, as does an error of the app', async () => {
  const { page, area, picker, lines, expectAccessible } = await open('many', { theme: 'dark' })
  await picker.setInputFiles([
    { name: 'lie.png', mimeType: 'image/png', buffer: Buffer.from('<html>') },
    picture('unwanted.png'),
    picture('good.png'),
  ])
  await expectPage(lines).toHaveText([/^good\.png /])
  const alert = area.getByRole('alert')
  await expectPage(alert).toContainText('Upload failed')
  await expectPage(alert).toContainText('lie.png: The file is a web page')
  await expectPage(alert).toContainText('unwanted.png: This one is not wanted')
  await expectAccessible()

  // A file that has arrived is not sent again, and a retry cannot help the one that was refused.
  let sent = 0
  await page.route(uploadAddress, (route) => {
    sent += 1
    return route.continue()
  })
  await page.getByRole('button', { name: 'Retry' }).click()
  // The alert was visible before the click, so wait for the end of the refused file first.
  await expectPage(alert).not.toContainText('lie.png')
  await expectPage(alert).toContainText('unwanted.png: This one is not wanted')
  expect(sent).toBe(0)
})

test('FILE-01 directus#26304 an interrupted upload resumes automatically, with rate and a note while it waits', async () => {
  const { page, area, picker, lines } = await open('one')
  const size = 3_000_000
  const ranges: (string | undefined)[] = []
  await page.route(uploadAddress, async (route) => {
    const request = route.request()
    if (request.method() !== 'PUT') return route.continue()
    ranges.push(request.headers()['content-range'])
    if (ranges.length === 4) return route.continue()
    // The first million bytes arrive, then the connection breaks. The next answers come from a proxy.
    if (ranges.length > 1) return route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' })
    await sendBeginning(request.url(), 1_000_000)
    return route.abort('connectionreset')
  })
  await picker.setInputFiles(picture('large.png', size - png.length))
  await expectPage(area.getByText('Waiting for the connection', { exact: true })).toBeVisible()
  await expectPage(area.getByRole('status')).toHaveText('large.png: Waiting for the connection')
  await expectPage(lines).toHaveText([`large.png ${size} image/png 32`])
  await expectPage(area.getByRole('alert')).toHaveCount(0)
  const rest = `bytes 1000000-${size - 1}/${size}`
  expect(ranges).toEqual([undefined, rest, rest, rest])

  async function sendBeginning(url: string, length: number): Promise<void> {
    const body = Buffer.concat([png, Buffer.alloc(size - png.length)])
    const headers = { 'content-type': 'image/png', 'content-range': `bytes 0-${length - 1}/${size}` }
    const response = await fetch(url, {
      method: 'PUT',
      headers,
      body: new Uint8Array(body.subarray(0, length)),
    })
    expect(response.status).toBe(409)
  }
})

test('strapi#24828 a file that has arrived while the app could not reach the server is passed to it again', async () => {
  const { area, picker, lines } = await open('many')
  await picker.setInputFiles([picture('late.png'), picture('next.png')])
  await expectPage(lines).toHaveText([/^late\.png /, /^next\.png /])
  await expectPage(area.getByRole('alert')).toHaveCount(0)
})

test('FILE-01 an interrupted upload fails with a retry where the live connection never opens', async () => {
  const opened = await openConsole(server, { as: { token: await owner.openSession() }, path: null })
  const { page } = opened
  await page.routeWebSocket('**/api/ws', (socket) => socket.close({ code: 1011 }))
  let isFailing = true
  await page.route(uploadAddress, (route) => {
    if (route.request().method() !== 'PUT' || !isFailing) return route.continue()
    return route.abort('connectionreset')
  })
  await page.clock.install()
  await page.goto('/app/uploads/one')
  const area = page.getByRole('region', { name: 'Uploads' })
  await area.locator('input[type=file]').setInputFiles(picture('stand.png'))
  await expect
    .poll(async () => {
      // Longer than the longest pause.
      await page.clock.fastForward(31_000)
      return area.getByRole('alert').count()
    })
    .toBe(1)
  await expectPage(area.getByRole('alert')).toContainText('The server cannot be reached')
  isFailing = false
  await page.getByRole('button', { name: 'Retry' }).click()
  await expectPage(area.getByRole('listitem')).toHaveText(`stand.png ${png.length} image/png 32`)
})

test('FILE-01 an upload that begins before the live connection opens waits for a server that restarts', async () => {
  const { page } = await openConsole(server, { as: { token: await owner.openSession() }, path: null })
  const [begun, connected] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isUp = true
  let failed = 0
  let restart = async () => {}
  await page.routeWebSocket('**/api/ws', async (socket) => {
    await begun.promise
    if (!isUp) return socket.close({ code: 1011 })
    const there = socket.connectToServer()
    there.onMessage((message) => {
      socket.send(message)
      if (String(message).includes('"ready"')) connected.resolve()
    })
    restart = () => socket.close({ code: 1011 })
  })
  await page.route(uploadAddress, async (route) => {
    if (route.request().method() !== 'PUT' || (failed > 0 && isUp)) return route.continue()
    begun.resolve()
    await connected.promise
    isUp = false
    if (failed === 0) await restart()
    await route.abort('connectionreset')
    failed += 1
  })
  await page.goto('/app/uploads/one')
  const area = page.getByRole('region', { name: 'Uploads' })
  await area.locator('input[type=file]').setInputFiles(picture('stand.png'))
  await expect.poll(() => failed).toBe(3)
  isUp = true
  await expectPage(area.getByRole('listitem')).toHaveText(`stand.png ${png.length} image/png 32`)
  await expectPage(area.getByRole('alert')).toHaveCount(0)
})

test('immich#20923 FILE-01 an upload waits for the hold of a server that was killed, and then resumes', async () => {
  const { page, area, picker, lines } = await open('one')
  const size = 3_000_000
  let asked = 0
  const ranges: (string | undefined)[] = []
  // The server ignores a longer one, which only a wrong clock can have written.
  const longestHold = sql<Date>`now() + interval '20 seconds'`
  await page.route(uploadAddress, async (route) => {
    const request = route.request()
    if (request.method() === 'HEAD') {
      asked += 1
      // A request after the third one, which comes later than the last retry of an unreachable server.
      await setHold(asked < 4 ? longestHold : sql`now()`)
      return route.continue()
    }
    ranges.push(request.headers()['content-range'])
    if (ranges.length > 1) return route.continue()
    await setHold(longestHold)
    return route.abort('connectionreset')
  })
  await picker.setInputFiles(picture('large.png', size - png.length))
  await expectPage(lines).toHaveText([`large.png ${size} image/png 32`])
  await expectPage(area.getByRole('alert')).toHaveCount(0)
  expect(asked).toBeGreaterThanOrEqual(4)
  expect(ranges).toHaveLength(2)

  async function setHold(until: RawBuilder<Date>): Promise<void> {
    await server.db
      .updateTable('upload_ticket')
      .set({ held_by: '018f0000-0000-7000-8000-000000000001', held_until: until })
      .execute()
  }
})

test('FILE-01 an upload that an interrupted attempt completes in the meantime is not sent again', async () => {
  const { page, area, picker, lines } = await open('one')
  let sent = 0
  await page.route(uploadAddress, async (route) => {
    const request = route.request()
    if (request.method() !== 'PUT') return route.continue()
    sent += 1
    if (sent === 1) return route.abort('connectionreset')
    // The first attempt's bytes arrive after the page has asked for their number.
    const headers = { 'content-type': 'image/png' }
    const { status } = await fetch(request.url(), { method: 'PUT', headers, body: new Uint8Array(png) })
    expect(status).toBe(200)
    return route.continue()
  })
  await picker.setInputFiles(picture('stand.png'))
  await expectPage(lines).toHaveText([`stand.png ${png.length} image/png 32`])
  await expectPage(area.getByRole('alert')).toHaveCount(0)
  expect(sent).toBe(2)
})

test('FILE-02 an aborted upload ends immediately, and the files after it are not sent', async () => {
  const { page, area, picker, lines } = await open('many')
  const seen = Promise.withResolvers<void>()
  let requests = 0
  await page.route(uploadAddress, () => {
    requests += 1
    seen.resolve()
    // The request gets no response.
  })
  await picker.setInputFiles([picture('a.png'), picture('b.png')])
  await seen.promise
  await expectPage(area.getByText('File 1 of 2')).toBeVisible()
  await page.getByRole('button', { name: 'Abort' }).click()
  await expectPage(page.getByRole('button', { name: 'Choose files' })).toBeFocused()
  await expectPage(area.getByRole('alert')).toHaveCount(0)
  await expectPage(lines).toHaveCount(0)
  expect([requests, await partsOnDisk()]).toEqual([1, []])
})

/** A file on the disk, which the browser reads like that of a user. */
async function fileOnDisk(name: string, size: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pult-upload-'))
  onTestFinished(async () => rm(folder, { recursive: true }))
  const path = join(folder, name)
  await writeFile(path, picture(name, size - png.length).buffer)
  return path
}

test('breeze#2951 RULE-67 an upload continues after its address has expired, and after a reload with the same file', async () => {
  const { page, area, picker, lines, expectAccessible } = await open('one')
  const size = 3_000_000
  const path = await fileOnDisk('hall.png', size)
  const content = await readFile(path)
  const ranges: (string | undefined)[] = []
  const received = [1_000_000, 2_000_000]
  await page.route(uploadAddress, async (route) => {
    const request = route.request()
    if (request.method() !== 'PUT') return route.continue()
    const range = request.headers()['content-range']
    ranges.push(range)
    const end = received.shift()
    if (end === undefined) return route.continue()
    const first = Number(/^bytes (\d+)-/.exec(range ?? '')?.[1] ?? 0)
    await fetch(request.url(), {
      method: 'PUT',
      headers: { 'content-type': 'image/png', 'content-range': `bytes ${first}-${end - 1}/${size}` },
      body: new Uint8Array(content.subarray(first, end)),
    })
    if (received.length === 0) return undefined
    await server.db
      .updateTable('upload_ticket')
      .set({ expires_at: sql`now() - interval '1 minute'` })
      .execute()
    return route.abort('connectionreset')
  })
  await picker.setInputFiles(path)
  // The second request gets no response.
  await expect.poll(() => ranges.length).toBe(2)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expectPage(area.getByText('1 upload was interrupted')).toBeVisible()
  await expectPage(area.getByRole('listitem').filter({ hasText: 'hall.png' })).toBeVisible()
  await expectAccessible()
  await picker.setInputFiles(path)
  await expectPage(lines.filter({ hasText: `hall.png ${size} image/png 32` })).toBeVisible()
  await expectPage(area.getByText('1 upload was interrupted')).toHaveCount(0)
  expect(ranges).toEqual([
    undefined,
    `bytes 1000000-${size - 1}/${size}`,
    `bytes 2000000-${size - 1}/${size}`,
  ])
})

test('strapi#24828 a queue waits through an offline period, and continues with the file that was interrupted', async () => {
  const { page, area, picker, lines } = await open('many')
  let puts = 0
  await page.route(uploadAddress, async (route) => {
    if (route.request().method() === 'PUT') puts += 1
    if (puts !== 2) return route.continue()
    await page.context().setOffline(true)
    puts += 1
    return route.abort('internetdisconnected')
  })
  await picker.setInputFiles([picture('a.png'), picture('b.png'), picture('c.png')])
  await expectPage(area.getByText('Waiting for the connection', { exact: true })).toBeVisible()
  await expectPage(area.getByText('File 2 of 3')).toBeVisible()
  await page.getByRole('link', { name: 'Home' }).first().click()
  const question = page.getByRole('alertdialog', { name: 'Interrupt the upload?' })
  await question.getByRole('button', { name: 'Stay' }).click()
  await page.context().setOffline(false)
  await expectPage(lines).toHaveText([/^a\.png /, /^b\.png /, /^c\.png /])
  await expectPage(area.getByRole('alert')).toHaveCount(0)
})
