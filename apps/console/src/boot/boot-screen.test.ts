import { meEndpoints } from '@pult/contract'
import { expectPage, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { describe, expect, test } from 'vitest'

const appSteps = [
  'Connecting socket',
  'Loading projects',
  'Prepare fragments',
  'Register extensions',
  'Loading apps',
]

interface Watch {
  /** The observed states of each line, in order of appearance. */
  seen: Record<string, string[]>
  mostLines: number
}

/** Records every line of the boot screen, even if it is visible only briefly. */
async function watchBoot({ page }: OpenedConsole) {
  await page.addInitScript(() => {
    const watch: Watch = { seen: {}, mostLines: 0 }
    Object.assign(globalThis, { watch })
    new MutationObserver(() => {
      const lines = [...document.querySelectorAll<HTMLElement>('.boot-step[data-state]')]
      watch.mostLines = Math.max(watch.mostLines, lines.length)
      for (const line of lines) {
        const states = (watch.seen[line.children[1]?.textContent ?? ''] ??= [])
        const state = line.dataset.state ?? ''
        if (states.at(-1) !== state) states.push(state)
      }
    }).observe(document, { subtree: true, childList: true, attributes: true })
  })
  return () => page.evaluate((): Watch => Reflect.get(globalThis, 'watch'))
}

const line = ({ page }: OpenedConsole, label: string) => page.getByRole('listitem').filter({ hasText: label })
const storedToken = ({ page }: OpenedConsole) => page.evaluate(() => localStorage.getItem('pult.token'))
const unavailable = { code: 'DATABASE_UNAVAILABLE', message: 'The database is not available' }

describe('the start', async () => {
  const server = await testServer({ withConsole: true })
  const { given } = server

  test('BOOT-01 BOOT-02 BOOT-03 BOOT-05 BOOT-06 signed in, all steps run in order, the stored token is reissued, and the console follows, laid out below the boot screen but invisible and inert until then', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { isCold: true, as: ada, path: null })
    const watched = await watchBoot(opened)
    await opened.page.addInitScript(() => {
      const covered: { isSeen: boolean; isClickable: boolean; isRead: boolean; takesFocus: boolean }[] = []
      Object.assign(globalThis, { covered })
      new MutationObserver(() => {
        const link = document.querySelector<HTMLElement>('.boot-covered[data-covered] nav a')
        if (link === null) return
        const { left, top, width, height } = link.getBoundingClientRect()
        link.focus()
        covered.push({
          isSeen: link.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
          isClickable:
            document.elementFromPoint(left + width / 2, top + height / 2)?.closest('.stage') === null,
          isRead: link.closest('[aria-hidden=true]') === null,
          takesFocus: document.activeElement === link,
        })
      }).observe(document, { subtree: true, childList: true })
    })
    await opened.page.goto('/')
    const link = opened.page.getByRole('navigation').getByRole('link').first()
    await expectPage(link).toBeFocused()
    await link.click()
    const { seen, mostLines } = await watched()
    expect(Object.keys(seen).filter((label) => label !== 'Authentication init')).toEqual(appSteps)
    for (const label of appSteps) expect(seen[label]?.at(-1), label).toBe('done')
    expect(mostLines).toBe(5)
    const token = await storedToken(opened)
    expect(token).not.toBe(ada.token)
    expect(await server.call(meEndpoints.read, {}, token ?? '')).toSucceed()
    const covered = await opened.page.evaluate((): unknown[] => Reflect.get(globalThis, 'covered'))
    expect(covered.length).toBeGreaterThan(0)
    for (const moment of covered)
      expect(moment).toEqual({ isSeen: false, isClickable: false, isRead: false, takesFocus: true })
    expect(await link.evaluate((element) => element.checkVisibility({ opacityProperty: true }))).toBe(true)
    expect(opened.complaints).toEqual([])
  })

  test('BOOT-01 BOOT-05 BUILD-01 signed out, one step runs before the login, in a document that names the build of the server', async () => {
    const opened = await openConsole(server, { isCold: true, path: null })
    const watched = await watchBoot(opened)
    await opened.page.goto('/')
    await expectPage(opened.page.getByRole('heading', { name: 'Login' })).toBeVisible()
    expect(Object.keys((await watched()).seen).filter((label) => label !== 'Authentication init')).toEqual([])
    const response = await opened.page.request.get('/api/build')
    const { version, timestamp, commit } = await response.json()
    await expectPage(opened.page.locator('meta[name=pult-build]')).toHaveAttribute(
      'content',
      `${version} ${timestamp} ${commit}`,
    )
    expect(version).toBe('2.4.0')
  })

  test('BOOT-01 BOOT-03 the document shows the first step in the chosen theme before any module', async () => {
    const { page } = await openConsole(server, { isCold: true, path: null, theme: 'light' })
    await page.addInitScript(() => localStorage.setItem('pult.theme', 'dark'))
    await page.route(/\/assets\/.+\.js$/, (route) => route.abort())
    await page.goto('/')
    await expectPage(page.getByText('Authentication init')).toBeVisible()
    await expectPage(page.getByRole('img', { name: 'Pult' })).toBeVisible()
    await expectPage(page.getByRole('link', { name: 'Try again' })).toBeHidden()
    await expectPage(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expectPage(page.locator('body')).toHaveCSS('color-scheme', 'dark')
  })

  /** Excludes the request of home, the page that follows the start. */
  const ofStart = (paths: readonly string[]) => paths.filter((path) => !path.endsWith('/home'))

  /**
   * Records the API requests that a start sends, with a live connection that stays silent: its topics cause refetches.
   */
  async function watchRequests({ page }: OpenedConsole): Promise<string[]> {
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (/^\/api\/(auth\/reissue|start|me|me\/settings|projects|probe)(\/|$)/.test(pathname))
        sent.push(pathname + search)
    })
    await page.routeWebSocket('**/api/ws', () => {})
    return sent
  }

  test('BOOT-02 BOOT-06 a stored token is reissued, and the start and home are read before any module loads, once each', async () => {
    const ada = await given.person()
    const project = await given.project(ada)
    const opened = await openConsole(server, { isCold: true, as: ada, path: null })
    const { page } = opened
    await page.addInitScript((id) => localStorage.setItem('pult.activeProjectId', id), project.projectId)
    const sent = await watchRequests(opened)
    const modules = Promise.withResolvers<void>()
    await page.route(/\/assets\/.+\.js$/, async (route) => {
      await modules.promise
      await route.fallback()
    })
    const { projectId } = project
    const expected = [
      '/api/auth/reissue',
      `/api/projects/${projectId}/home`,
      `/api/start?project=${projectId}`,
    ]
    await page.goto('/', { waitUntil: 'commit' })
    await expectPage.poll(() => sent.toSorted()).toEqual(expected)

    modules.resolve()
    await expectPage(page.getByRole('navigation')).toBeVisible()
    await expectPage(page.getByText('Nothing is running')).toBeVisible()
    expect(sent.toSorted()).toEqual(expected)
    expect(opened.complaints).toEqual([])
  })

  test('BOOT-02 after a login the start is read in one request', async () => {
    const root = await given.person({ isRoot: true })
    const opened = await openConsole(server, { isCold: true })
    const { page } = opened
    await page.getByPlaceholder('Username / E-Mail').fill(root.email)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('button', { name: 'Password', exact: true }).click()
    await page.getByLabel('Password', { exact: true }).fill(root.password)
    const sent = await watchRequests(opened)
    await page.getByRole('button', { name: 'Login', exact: true }).click()
    await expectPage(page.getByRole('navigation')).toBeVisible()
    expect(ofStart(sent)).toEqual(['/api/start'])
    expect(opened.complaints).toEqual([])
  })

  test('BOOT-06 DEC-02 a rejected token is deleted, and the login appears', async () => {
    const opened = await openConsole(server, { isCold: true, as: { token: 'of no session' } })
    await expectPage(opened.page.getByRole('heading', { name: 'Login' })).toBeVisible()
    expect(await storedToken(opened)).toBeNull()
  })

  test('BOOT-07 DEC-02 without a response or with a 503 the token is kept and the line shows the error, and Retry continues', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { isCold: true, as: ada, path: null })
    let hasAnswer = false
    await opened.page.route('**/api/auth/reissue', (route) =>
      hasAnswer ? route.fulfill({ status: 503, json: unavailable }) : route.abort(),
    )
    await opened.page.goto('/imprint')
    const failed = line(opened, 'Authentication init')
    await expectPage(failed).toContainText('The server cannot be reached. Check your connection')
    await opened.expectAccessible()
    expect(await storedToken(opened)).toBe(ada.token)

    hasAnswer = true
    await failed.getByRole('button', { name: 'Retry' }).click()
    await expectPage(failed).toContainText(unavailable.message)
    expect(await storedToken(opened)).toBe(ada.token)
    await opened.page.unroute('**/api/auth/reissue')
    await failed.getByRole('button', { name: 'Retry' }).click()
    await expectPage(opened.page.getByRole('heading', { name: 'Imprint' })).toBeVisible()
  })

  test('BOOT-07 an unattended screen starts automatically once its code loads and the server responds', async () => {
    const opened = await openConsole(server, { isCold: true, as: await given.person(), path: null })
    const { page } = opened
    await page.clock.install()
    await page.route('**/api/auth/reissue', (route) => route.fulfill({ status: 503, json: unavailable }))
    await page.route(/\/assets\/frame-.+\.js$/, (route) => route.abort())
    await page.goto('/')
    const failed = line(opened, 'Authentication init')
    const retry = failed.getByRole('button', { name: 'Retry' })
    await expectPage(failed).toContainText('Failed to fetch')
    await retry.focus()

    await page.unroute(/\/assets\/frame-.+\.js$/)
    await page.clock.fastForward(5000)
    await expectPage(failed).toContainText(unavailable.message)
    await expectPage(retry).toBeFocused()

    await page.unroute('**/api/auth/reissue')
    await page.clock.fastForward(5000)
    await expectPage(page.getByRole('navigation')).toBeVisible()
  })

  test('BOOT-07 a page whose first module failed to load reloads automatically once the server responds', async () => {
    const { page } = await openConsole(server, { isCold: true, path: null })
    await page.clock.install()
    const modules = /\/assets\/main-.+\.js$/
    const health = '**/api/health/live'
    await page.route(modules, (route) => route.abort())
    await page.route(health, (route) => route.abort())
    await page.goto('/')
    await expectPage(page.getByText('Authentication init')).toBeVisible()

    const request = page.waitForRequest(health)
    await page.clock.fastForward(30_000)
    await request
    await page.unroute(modules)
    await page.unroute(health)
    await expect
      .poll(async () => {
        await page.clock.fastForward(30_000)
        return page.getByRole('heading', { name: 'Login' }).isVisible()
      })
      .toBe(true)
  })

  test('BOOT-07 code that did not load shows an error in the line, and Retry loads it', async () => {
    const opened = await openConsole(server, { isCold: true, as: await given.person(), path: null })
    await opened.page.route(/\/assets\/frame-.+\.js$/, (route) => route.abort())
    await opened.page.goto('/')
    const failed = line(opened, 'Authentication init')
    await expectPage(failed.getByRole('button', { name: 'Retry' })).toBeVisible()
    await opened.page.unroute(/\/assets\/frame-.+\.js$/)
    await failed.getByRole('button', { name: 'Retry' }).click()
    await expectPage(opened.page.getByRole('navigation')).toBeVisible()
  })

  test('BOOT-07 projects that fail to load stop the start at their line until Retry', async () => {
    const opened = await openConsole(server, {
      isCold: true,
      as: await given.person(),
      path: null,
      theme: 'dark',
    })
    await opened.page.route(/\/api\/start(\?|$)/, (route) =>
      route.fulfill({ status: 503, json: unavailable }),
    )
    await opened.page.goto('/')
    const failed = line(opened, 'Loading projects')
    await expectPage(failed).toContainText('The database is not available')
    await expectPage(line(opened, 'Connecting socket')).toHaveAttribute('data-state', 'done')
    await expectPage(line(opened, 'Prepare fragments')).toHaveCount(0)
    await opened.expectAccessible()
    await opened.page.unroute(/\/api\/start(\?|$)/)
    await failed.getByRole('button', { name: 'Retry' }).click()
    await expectPage(opened.page.getByRole('navigation')).toBeVisible()
  })

  test('BOOT-07 without a socket the start warns and continues', async () => {
    const opened = await openConsole(server, { isCold: true, as: await given.person(), path: null })
    const watched = await watchBoot(opened)
    await opened.page.routeWebSocket('**/api/ws', () => {})
    await opened.page.goto('/')
    await expectPage(opened.page.getByRole('navigation')).toBeVisible()
    expect((await watched()).seen['Connecting socket']?.at(-1)).toBe('warning')
  })

  test('BOOT-07 DEC-24 an extension that fails to load causes a warning, and the start continues with the others', async () => {
    const ada = await given.person()
    await given.project(ada, { products: ['project', 'hello'] })
    const opened = await openConsole(server, { isCold: true, as: ada, path: null })
    const watched = await watchBoot(opened)
    await opened.page.route(/\/extensions\/hello\/.*entry/, (route) => route.abort())
    await opened.page.goto('/')
    const grid = opened.page.getByRole('list', { name: 'Apps' })
    await expectPage(grid.getByRole('link', { name: 'Project Details' })).toBeVisible()
    await expectPage(grid.getByText('Its code could not be loaded')).toBeVisible()
    expect((await watched()).seen['Register extensions']?.at(-1)).toBe('warning')
    expect((await watched()).seen['Loading apps']?.at(-1)).toBe('done')
  })

  test('DEC-02 a session that ends during the start leads to the login', async () => {
    const opened = await openConsole(server, { isCold: true, as: await given.person(), path: null })
    await opened.page.route(/\/api\/start(\?|$)/, (route) =>
      route.fulfill({ status: 401, json: { code: 'UNAUTHENTICATED', message: 'Sign in first' } }),
    )
    await opened.page.goto('/')
    await expectPage(opened.page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await expectPage(opened.page.getByText('Your session has ended')).toBeVisible()
    expect(await storedToken(opened)).toBeNull()
  })
})
