import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectEndpoints } from '@pult/contract'
import { pultExtension } from '@pult/sdk/vite'
import { expectPage, openConsole, testServer } from '@pult/testkit'
import react from '@vitejs/plugin-react'
import { createServer } from 'vite'
import { afterAll, expect, test, vi } from 'vitest'

const clone = fileURLToPath(new URL('..', import.meta.url))
const server = await testServer({ withConsole: true })

/** The extension to copy, as an author has it: in a folder of its own, with its packages. */
const folder = await mkdtemp(join(tmpdir(), 'pult-developed-'))
await cp(join(clone, 'extensions/hello'), folder, { recursive: true })
await symlink(join(clone, 'node_modules'), join(folder, 'node_modules'))
const source = (name: string) => join(folder, name)
const edit = async (name: string, from: string, to: string) => {
  const text = await readFile(source(name), 'utf8')
  expect(text).toContain(from)
  await writeFile(source(name), text.replace(from, to))
}

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

test('an author sees the extension in the console from its sources, and what is edited without a page load', async () => {
  await edit('src/Greeting.tsx', 'useProject } from', "useProject } from '@pult/sdk'\nimport { useState } from 'react'\nimport {} from")
  await edit('src/Greeting.tsx', '<p>', '<Button onClick={() => setCount(count + 1)}>Count {count}</Button>\n      <p>')
  await edit('src/Greeting.tsx', 'const notify', 'const [count, setCount] = useState(0)\n  const notify')
  await edit('manifest.json', '"label": "Hello",\n      "icon"', '"label": "Hello there",\n      "icon"')
  const ada = await server.given.person({ firstname: 'Ada' })
  const { projectId } = await server.given.project(ada, { label: 'Messe', products: ['project'] })
  const opened = await openConsole(server, { path: null })
  const { page } = opened
  const main = page.getByRole('main')
  page.on('console', (m) => console.log(m.type(), m.text().slice(0, 300)))
  await page.goto(url)

  await page.getByPlaceholder('Username / E-Mail').fill(ada.email)
  await page.getByRole('button', { name: 'Next', exact: true }).click()
  await page.getByRole('button', { name: 'Passkey', exact: true }).click()
  await expectPage(page.getByText(`Passkeys work at ${server.url} only`)).toBeVisible()
  await page.getByRole('button', { name: 'Password', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill(ada.password)
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await page.getByRole('link', { name: 'Hello there' }).click()
  await expectPage(main).toContainText('You are working on Messe')

  await main.getByRole('button', { name: 'Count 0' }).click()
  await page.evaluate(() => document.body.classList.add('same-page'))
  const started = performance.now()
  await edit('src/Greeting.tsx', 'You are working on', 'You see')
  await expectPage(main).toContainText('You see Messe')
  console.log('took', performance.now() - started)
  await expectPage(main.getByRole('button', { name: 'Count 1' })).toBeVisible()
  await expectPage(page.locator('body')).toHaveClass('same-page')

  // Sockets of the page reach the server.
  await ada.call(projectEndpoints.update, { params: { projectId }, body: { label: 'Markt' } })
  await expectPage(main).toContainText('You see Markt')

  await edit('manifest.json', 'Hello there', 'Good morning')
  await expectPage(page).toHaveTitle(/Good morning/)
  expect(opened.complaints).toEqual([])
})
