import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectEndpoints } from '@pult/contract'
import { pultExtension } from '@pult/sdk/vite'
import { openTestSocket } from '@pult/server/platform/realtime/test-socket.ts'
import { expectPage, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { afterAll, expect, test, vi } from 'vitest'

const clone = fileURLToPath(new URL('..', import.meta.url))
const server = await testServer({ withConsole: true })

/** Folder of an author, with a copy of an extension and its packages. */
const folder = await mkdtemp(join(tmpdir(), 'pult-developed-'))
await cp(join(clone, 'extensions/hello'), folder, { recursive: true })
await symlink(join(clone, 'node_modules'), join(folder, 'node_modules'))
const source = (name: string) => join(folder, name)
const edit = async (name: string, ...changes: (readonly [from: string, to: string])[]) => {
  let text = await readFile(source(name), 'utf8')
  for (const [from, to] of changes) {
    expect(text).toContain(from)
    text = text.replace(from, to)
  }
  await writeFile(source(name), text)
}
await edit(
  'src/Greeting.tsx',
  ['import', "import styles from './Greeting.module.css'\nimport { useState } from 'react'\nimport"],
  ['const notify', 'const [count, setCount] = useState(0)\n  const notify'],
  [
    '<p>',
    '<Button onClick={() => setCount(count + 1)}>Count {count}</Button>\n      <p className={styles.place}>',
  ],
)
await writeFile(source('src/Greeting.module.css'), '.place { color: rgb(1, 2, 3) }')
await edit('manifest.json', ['      "label": "Hello",', '      "label": "Hello there",'])

vi.stubEnv('PULT_CONSOLE', server.url)
const vite = await createServer({
  root: folder,
  configFile: false,
  mode: 'development',
  cacheDir: join(folder, '.vite'),
  logLevel: 'silent',
  plugins: [react(), pultExtension()],
  server: { port: 0 },
})
await vite.listen()
const url = new URL('/', vite.resolvedUrls?.local[0] ?? '').href
afterAll(async () => {
  await vite.close()
  await rm(folder, { recursive: true, force: true })
})

const button = ({ page }: OpenedConsole, name: string) => page.getByRole('button', { name, exact: true })
const place = ({ page }: OpenedConsole) => page.getByRole('main').getByText(/^You (are working on|see) /)

test('an author signs in to the console, and edits appear without a page load and preserve state', async () => {
  const ada = await server.given.person()
  const { projectId } = await server.given.project(ada, { label: 'Messe', products: ['project', 'hello'] })
  const opened = await openConsole(server, { path: null })
  const { page } = opened
  await page.goto(url)
  await page.getByPlaceholder('Username / E-Mail').fill(ada.email)
  await button(opened, 'Next').click()
  await button(opened, 'Passkey').click()
  await expectPage(page.getByRole('alert')).toContainText(`Passkeys work only at ${server.url}`)
  await button(opened, 'Password').click()
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await button(opened, 'Login').click()

  await page.getByRole('list', { name: 'Apps' }).getByRole('link', { name: 'Hello there' }).click()
  await expectPage(place(opened)).toHaveText('You are working on Messe.')
  await expectPage(place(opened)).toHaveCSS('color', 'rgb(1, 2, 3)')
  await button(opened, 'Count 0').click()
  await page.evaluate(() => document.body.classList.add('same-page'))
  await edit('src/Greeting.tsx', ['{texts.project(label)}', 'You see {label}.'])
  await expectPage(place(opened)).toHaveText('You see Messe.')
  await edit('src/Greeting.module.css', ['1, 2, 3', '4, 5, 6'])
  await expectPage(place(opened)).toHaveCSS('color', 'rgb(4, 5, 6)')
  await expectPage(button(opened, 'Count 1')).toBeVisible()
  // Changes by other users reach this page through its socket.
  await ada.call(projectEndpoints.update, { params: { projectId }, body: { label: 'Markt' } })
  await expectPage(place(opened)).toHaveText('You see Markt.')
  await expectPage(page.locator('body')).toHaveClass('same-page')

  await edit('src/app.ts', ["path: ''", "path: 'start'"])
  await expectPage(page).toHaveURL(/\/app\/hello\/start\?project=/)
  await edit('manifest.json', ['Hello there', 'Good morning'])
  await expectPage(page).toHaveTitle(/Good morning/)
  await edit('manifest.json', ['{', ''])
  await expectPage(page.getByRole('alert')).toContainText('manifest.json is not JSON')
  expect(opened.complaints).toEqual([])
})

test('RULE-60 the development server opens console sockets only for its own pages', async () => {
  const statusFor = async (origin: string) => (await openTestSocket(new URL(url).origin, { origin })).status
  expect(await statusFor(new URL(url).origin)).toBe(101)
  expect(await statusFor('https://evil.example.org')).toBe(403)
})
