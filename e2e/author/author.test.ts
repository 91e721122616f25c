import { spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { apiBase, projectHeader, rootExtensionEndpoints, taskTokenEndpoints } from '@pult/contract'
import { readPackage } from '@pult/server/extensions/packages/extension-package.ts'
import { expectPage, freePort, openConsole, testServer } from '@pult/testkit'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { blocksOf, type Followed, follow, plainEnvironment, run } from './document.ts'

/*
 * An author with only the packed SDK and its generator, in a folder outside this repository, follows the tutorial as
 * written and builds the bundled extensions in the same way.
 */

const root = join(import.meta.dirname, '../..')
const home = await mkdtemp(join(tmpdir(), 'pult-author-'))
const server = await testServer({ withConsole: true })
const environment = { ...plainEnvironment(), ...settings(), PULT: root }
afterAll(async () => {
  await rm(home, { recursive: true, force: true })
})

/** Returns the environment with which the command line uses the test's installation. */
function settings() {
  const { host, port, user, database } = server.testDatabase.connection
  const query = new URLSearchParams({ host, port: String(port), user })
  return {
    DATABASE_URL: `postgresql:///${database}?${query.toString()}`,
    PULT_SECRET: server.secret,
    PULT_URL: server.url,
    PULT_DATA: server.dataFolder,
  }
}

const blocks = await blocksOf(join(root, 'docs/extensions/tutorial.md'))
let tutorial: Followed

test('the tutorial’s steps work as written, and packing twice produces the same bytes', {
  timeout: 600_000,
}, async () => {
  tutorial = await follow(blocks, home, environment)
  const { folder, output } = tutorial
  expect(output).toMatch(/Tests .*4 passed[^]*Tests .*6 passed[^]*Tests .*8 passed[^]*Tests .*9 passed/)
  expect(output).toContain('show-control 0.1.0 is enabled')

  const archive = join(folder, 'show-control-0.1.0.tgz')
  const packed = await readFile(archive)
  await run('npm', ['run', 'pack'], folder, environment)
  expect(packed.equals(await readFile(archive))).toBe(true)
})

test('DEC-21 the tutorial’s app works with its service, which accepts only calls from Pult', async () => {
  const { folder } = tutorial
  const admin = await server.given.person({ isRoot: true })
  const operator = await server.given.person()
  const stranger = await server.given.person()
  const { projectId } = await server.given.project(admin, {
    products: ['show-control'],
    grants: [{ person: operator, productRole: 'show-control/operator' }],
  })
  const made = await admin.call(taskTokenEndpoints.create, {
    params: { projectId },
    body: { label: 'Cue service', types: ['show-control/rehearsal'] },
  })
  const taskToken = made.body.token
  server.watchSecret(taskToken)
  const servicePort = await freePort()
  const start = blocks.find(({ language, mark }) => language === 'sh' && mark === 'start')
  const service = spawn('sh', ['-c', `exec ${start?.text ?? ''}`], {
    cwd: folder,
    env: { ...environment, PORT: String(servicePort), TASK_TOKEN: taskToken },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void service.kill())
  await new Promise((ready) => service.stdout.once('data', ready))
  const url = `http://localhost:${servicePort}`

  const listed = await admin.call(rootExtensionEndpoints.list)
  expect(listed.body?.items.find(({ id }) => id === 'show-control')).toMatchObject({
    isEnabled: true,
    problem: null,
    backend: { label: 'Cue service', url: null },
  })
  await admin.call(rootExtensionEndpoints.setBackend, { params: { name: 'show-control' }, body: { url } })

  const cues = (token: string, how: RequestInit = {}) =>
    fetch(`${server.url}${apiBase}/apps/show-control/cues`, {
      ...how,
      headers: {
        authorization: `Bearer ${token}`,
        [projectHeader]: projectId,
        'content-type': 'application/json',
      },
    })
  // Rehearsing a cue takes half a second, so six cues suffice to observe the running task.
  const labels = ['Blackout', 'Curtain', 'Fanfare', 'Fog', 'Strobe', 'Sunset']
  for (const label of labels) {
    const created = await cues(operator.token, {
      method: 'POST',
      body: JSON.stringify({ label, tags: ['north'] }),
    })
    expect([created.status, await created.json()]).toMatchObject([200, { label, revision: 1 }])
  }
  expect(await (await cues(operator.token)).json()).toMatchObject({
    items: labels.map((label) => ({ label })),
    total: labels.length,
  })
  const opened = await openConsole(server, { as: operator, path: '/app/show-control/cues' })
  await expectPage(opened.page.getByRole('link', { name: /^Blackout/ })).toBeVisible()
  // Polls in every frame, because the progress is visible for only three seconds.
  const progress = opened.page.waitForFunction(
    () => /^[0-5] \/ 6$/m.test(document.querySelector('main')?.innerText ?? ''),
    undefined,
    { polling: 'raf' },
  )
  await opened.page.getByRole('button', { name: 'Rehearse' }).click()
  await progress
  await expectPage(opened.page.getByRole('main').getByText('Every cue works')).toBeVisible()
  expect(opened.complaints).toEqual([])

  expect((await cues(stranger.token)).status).toBe(404)
  expect((await fetch(`${url}/cues`)).status).toBe(401)
  expect(
    (await fetch(`${url}/cues`, { headers: { authorization: `Bearer ${operator.token}` } })).status,
  ).toBe(401)
})

test('every bundled extension builds, type-checks and runs with the packed SDK', async () => {
  const names: string[] = []
  const loaded = join(home, 'loaded')
  for (const name of await readdir(join(root, 'extensions'))) {
    const source = join(root, 'extensions', name)
    if ((await stat(join(source, 'manifest.json')).catch(() => undefined)) === undefined) continue
    names.push(name)
    const folder = join(home, 'bundled', name)
    await mkdir(folder, { recursive: true })
    for (const own of ['tsconfig.json', 'vite.config.ts'])
      await cp(join(tutorial.folder, own), join(folder, own))
    await symlink(join(tutorial.folder, 'node_modules'), join(folder, 'node_modules'))
    await cp(join(source, 'manifest.json'), join(folder, 'manifest.json'))
    // The tests of the extensions need the whole console.
    const isSource = (path: string) => !basename(path).includes('.test.')
    await cp(join(source, 'src'), join(folder, 'src'), { recursive: true, filter: isSource })
    const bin = join(folder, 'node_modules/.bin')
    await run(join(bin, 'tsc'), [], folder, environment)
    const output = await run(join(bin, 'vite'), ['build'], folder, environment)
    expect(output).not.toContain('reaches beyond')
    expect((await readPackage(join(folder, 'dist'), undefined))?.manifest.id).toBe(name)
    await cp(join(folder, 'dist'), join(loaded, name), { recursive: true })
  }
  expect(names).toContain('hello')

  const installation = await testServer({ withConsole: true, extensionsFolder: loaded })
  const person = await installation.given.person({ firstname: 'Ada' })
  await installation.given.project(person, { products: ['project', 'hello'] })
  const opened = await openConsole(installation, { as: person, path: '/app/hello' })
  await expectPage(opened.page.getByRole('heading', { name: 'Hello Ada' })).toBeVisible()
  expect(opened.complaints).toEqual([])
})
