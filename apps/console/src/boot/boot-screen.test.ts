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
  /** Each line in the states it was seen in, in the order of appearance. */
  seen: Record<string, string[]>
  mostLines: number
}

/** Notes every line that the boot screen shows, however short. */
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

  test('BOOT-01 BOOT-02 BOOT-03 BOOT-05 signed in, all steps run in order and the console follows', async () => {
    const opened = await openConsole(server, { as: await given.person(), path: null })
    const watched = await watchBoot(opened)
    await opened.page.goto('/')
    await expectPage(opened.page.getByRole('navigation')).toBeVisible()
    const { seen, mostLines } = await watched()
    expect(Object.keys(seen).filter((label) => label !== 'Authentication init')).toEqual(appSteps)
    for (const label of appSteps) expect(seen[label]?.at(-1), label).toBe('done')
    expect(mostLines).toBe(5)
    expect(opened.complaints).toEqual([])
  })

  test('BOOT-05 the console is laid out below the boot screen, out of reach until that closes, and keeps the focus it takes', async () => {
    const { page } = await openConsole(server, { as: await given.person(), path: null })
    await page.addInitScript(() => {
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
    await page.goto('/')
    const link = page.getByRole('navigation').getByRole('link').first()
    await expectPage(link).toBeFocused()
    await link.click()
    const covered = await page.evaluate((): unknown[] => Reflect.get(globalThis, 'covered'))
    expect(covered.length).toBeGreaterThan(0)
    for (const moment of covered)
      expect(moment).toEqual({ isSeen: false, isClickable: false, isRead: false, takesFocus: true })
    expect(await link.evaluate((element) => element.checkVisibility({ opacityProperty: true }))).toBe(true)
  })

  test('BOOT-01 BOOT-05 signed out, there is the one step and then the login', async () => {
    const opened = await openConsole(server, { path: null })
    const watched = await watchBoot(opened)
    await opened.page.goto('/')
    await expectPage(opened.page.getByRole('heading', { name: 'Login' })).toBeVisible()
    expect(Object.keys((await watched()).seen).filter((label) => label !== 'Authentication init')).toEqual([])
  })

  test('BOOT-01 BOOT-03 the document shows the first step before any script', async () => {
    const { page } = await openConsole(server, { path: null })
    await page.route(/\/assets\/.+\.js$/, (route) => route.abort())
    await page.goto('/')
    await expectPage(page.getByText('Authentication init')).toBeVisible()
    await expectPage(page.getByRole('img', { name: 'Pult' })).toBeVisible()
    await expectPage(page.getByRole('link', { name: 'Try again' })).toBeHidden()
  })

  test('BOOT-02 BOOT-06 the server is asked before any module is there, and each question once', async () => {
    const ada = await given.person()
    const project = await given.project(ada)
    const opened = await openConsole(server, { as: ada, path: null })
    const { page } = opened
    await page.addInitScript((id) => localStorage.setItem('pult.activeProjectId', id), project.projectId)
    const early = [
      '/api/auth/reissue',
      `/api/projects/${project.projectId}`,
      `/api/probe?project=${project.projectId}`,
    ]
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (early.includes(pathname + search)) asked.push(pathname + search)
    })
    // With the live connection all is read once more, in case it has changed.
    await page.routeWebSocket('**/api/ws', () => {})
    const modules = Promise.withResolvers<void>()
    await page.route(/\/assets\/.+\.js$/, async (route) => {
      await modules.promise
      await route.fallback()
    })
    await page.goto('/', { waitUntil: 'commit' })
    await expectPage.poll(() => asked.toSorted()).toEqual(early.toSorted())

    modules.resolve()
    await expectPage(page.getByRole('navigation')).toBeVisible({ timeout: 15_000 })
    expect(asked.toSorted()).toEqual(early.toSorted())
    expect(opened.complaints).toEqual([])
  })

  test('BOOT-02 the apps of root are asked for before any module is there, where root was signed in before', async () => {
    const { page } = await openConsole(server, { as: await given.person({ isRoot: true }) })
    await expectPage(page.getByRole('navigation')).toBeVisible()
    const modules = Promise.withResolvers<void>()
    await page.route(/\/assets\/.+\.js$/, async (route) => {
      await modules.promise
      await route.fallback()
    })
    const asked = page.waitForRequest((request) => new URL(request.url()).pathname === '/api/probe')
    await page.reload({ waitUntil: 'commit' })
    await asked
    modules.resolve()
    await expectPage(page.getByRole('navigation')).toBeVisible()
  })

  describe('after the login', () => {
    const early = ['/api/me', '/api/me/settings', '/api/probe', '/api/projects?limit=1']

    /** Up to the submit of the password, with a live connection that says nothing. */
    async function logIn() {
      const ada = await given.person()
      const opened = await openConsole(server)
      const { page } = opened
      const asked: string[] = []
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url())
        if (early.includes(pathname + search)) asked.push(pathname + search)
      })
      await page.routeWebSocket('**/api/ws', () => {})
      await page.getByPlaceholder('Username / E-Mail').fill(ada.email)
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByRole('button', { name: 'Password', exact: true }).click()
      await page.getByLabel('Password', { exact: true }).fill(ada.password)
      return { opened, asked, submit: () => page.getByRole('button', { name: 'Login', exact: true }).click() }
    }

    test('BOOT-02 what a start asks first comes with the token, and is not asked again', async () => {
      const { opened, asked, submit } = await logIn()
      await submit()
      await expectPage(line(opened, 'Connecting socket')).toHaveAttribute('data-state', 'running')
      await expectPage(line(opened, 'Authentication init')).toHaveAttribute('data-state', 'done')
      await expectPage(opened.page.getByRole('navigation')).toBeVisible({ timeout: 15_000 })
      await opened.page.waitForLoadState('networkidle')
      expect(asked).toEqual([])
      expect(opened.complaints).toEqual([])
    })

    test('BOOT-02 what did not come with it is asked before the boot screen has its second line, and once', async () => {
      const { opened, asked, submit } = await logIn()
      const { page } = opened
      await page.route('**/api/auth/login', async (route) => {
        const response = await route.fetch()
        const { ahead: _ahead, ...answer } = (await response.json()) as Record<string, unknown>
        await route.fulfill({ response, json: answer })
      })
      const answers = Promise.withResolvers<void>()
      await page.route('**/api/me', async (route) => {
        await answers.promise
        await route.fallback()
      })
      await submit()
      await expectPage(line(opened, 'Authentication init')).toHaveAttribute('data-state', 'running')
      await expectPage.poll(() => asked.toSorted()).toEqual(early)

      answers.resolve()
      await expectPage(page.getByRole('navigation')).toBeVisible({ timeout: 15_000 })
      expect(asked.toSorted()).toEqual(early)
      expect(opened.complaints).toEqual([])
    })
  })

  test('BOOT-06 the stored token is reissued', async () => {
    const ada = await given.person()
    const opened = await openConsole(server, { as: ada })
    await expectPage(opened.page.getByRole('navigation')).toBeVisible()
    const token = await storedToken(opened)
    expect(token).not.toBe(ada.token)
    expect(await server.call(meEndpoints.read, {}, token ?? '')).toSucceed()
  })

  test('BOOT-06 DEC-02 a token that is refused is cleared, and the login shown', async () => {
    const opened = await openConsole(server, { as: { token: 'of no session' } })
    await expectPage(opened.page.getByRole('heading', { name: 'Login' })).toBeVisible()
    expect(await storedToken(opened)).toBeNull()
  })

  test.each([
    ['no answer', null],
    ['an answer 503', unavailable],
  ])('BOOT-07 DEC-02 %s keeps the token, says so in the line, and Retry goes on', async (_what, body) => {
    const ada = await given.person()
    const opened = await openConsole(server, { as: ada, path: null })
    await opened.page.route('**/api/auth/reissue', (route) =>
      body === null ? route.abort() : route.fulfill({ status: 503, json: body }),
    )
    await opened.page.goto('/imprint')
    const failed = line(opened, 'Authentication init')
    await expectPage(failed).toContainText(
      body?.message ?? 'The server cannot be reached. Please check your connection',
    )
    await opened.expectAccessible()
    expect(await storedToken(opened)).toBe(ada.token)

    await failed.getByRole('button', { name: 'Retry' }).click()
    await expectPage(failed.getByRole('button', { name: 'Retry' })).toBeVisible()
    await opened.page.unroute('**/api/auth/reissue')
    await failed.getByRole('button', { name: 'Retry' }).click()
    await expectPage(opened.page.getByRole('heading', { name: 'Imprint' })).toBeVisible()
  })

  test('BOOT-07 code that did not arrive says so in the line, and Retry has it fetched again', async () => {
    const opened = await openConsole(server, { as: await given.person(), path: null })
    await opened.page.route(/\/assets\/console-.+\.js$/, (route) => route.abort())
    await opened.page.goto('/')
    const failed = line(opened, 'Authentication init')
    await expectPage(failed.getByRole('button', { name: 'Retry' })).toBeVisible()
    await opened.page.unroute(/\/assets\/console-.+\.js$/)
    await failed.getByRole('button', { name: 'Retry' }).click()
    await expectPage(opened.page.getByRole('navigation')).toBeVisible()
  })

  test('BOOT-07 projects that do not load stop the start at their line until Retry', async () => {
    const opened = await openConsole(server, { as: await given.person(), path: null, theme: 'dark' })
    await opened.page.route(/\/api\/projects(\?|$)/, (route) =>
      route.fulfill({ status: 503, json: unavailable }),
    )
    await opened.page.goto('/')
    const failed = line(opened, 'Loading projects')
    await expectPage(failed).toContainText('The database is not available')
    await expectPage(line(opened, 'Connecting socket')).toHaveAttribute('data-state', 'done')
    await expectPage(line(opened, 'Prepare fragments')).toHaveCount(0)
    await opened.expectAccessible()
    await opened.page.unroute(/\/api\/projects(\?|$)/)
    await failed.getByRole('button', { name: 'Retry' }).click()
    await expectPage(opened.page.getByRole('navigation')).toBeVisible()
  })

  test('BOOT-07 without a socket the start warns and goes on', async () => {
    const opened = await openConsole(server, { as: await given.person(), path: null })
    const watched = await watchBoot(opened)
    await opened.page.routeWebSocket('**/api/ws', () => {})
    await opened.page.goto('/')
    await expectPage(opened.page.getByRole('navigation')).toBeVisible({ timeout: 15_000 })
    expect((await watched()).seen['Connecting socket']?.at(-1)).toBe('warning')
  })

  test('BOOT-07 DEC-24 an extension that does not load is a warning, the others and the console go on', async () => {
    const ada = await given.person()
    await given.project(ada)
    const opened = await openConsole(server, { as: ada, path: null })
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
    const opened = await openConsole(server, { as: await given.person(), path: null })
    await opened.page.route(/\/api\/projects(\?|$)/, (route) =>
      route.fulfill({ status: 401, json: { code: 'UNAUTHENTICATED', message: 'Please sign in' } }),
    )
    await opened.page.goto('/')
    await expectPage(opened.page.getByRole('heading', { name: 'Login' })).toBeVisible()
    await expectPage(opened.page.getByText('Your session has ended')).toBeVisible()
    expect(await storedToken(opened)).toBeNull()
  })

  test('a chosen theme is there before any module has arrived', async () => {
    const { page } = await openConsole(server, { path: null, theme: 'light' })
    await page.addInitScript(() => localStorage.setItem('pult.theme', 'dark'))
    await page.route(/\/assets\/.+\.js$/, (route) => route.abort())
    await page.goto('/')
    await expectPage(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    await expectPage(page.locator('body')).toHaveCSS('color-scheme', 'dark')
  })

  test('BUILD-01 the document names its build, the same that the server answers', async () => {
    const { page } = await openConsole(server)
    const response = await page.request.get('/api/build')
    const { version, timestamp, commit } = await response.json()
    await expectPage(page.locator('meta[name=pult-build]')).toHaveAttribute(
      'content',
      `${version} ${timestamp} ${commit}`,
    )
    expect(version).toBe('2.4.0')
  })
})
