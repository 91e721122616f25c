import { settingsEndpoints } from '@pult/contract'
import { textsFor } from '@pult/sdk'
import { expectPage, type OpenedConsole, openConsole, testServer } from '@pult/testkit'
import { expect, test } from 'vitest'
import { languageNames } from '#platform/locale.ts'
import { catalogue as german } from '../../boot/catalogues/de-DE.ts'
import { catalogue as english } from '../../boot/catalogues/en.ts'

const server = await testServer({ withConsole: true })
const { given } = server

/** Opens the console with a language stored in the browser. */
async function openIn(locale: 'en' | 'de-DE', options: Parameters<typeof openConsole>[1] = {}) {
  const opened = await openConsole(server, { ...options, path: null })
  await opened.page.addInitScript((chosen) => localStorage.setItem('pult.locale', chosen), locale)
  await opened.page.goto(options.path ?? '/')
  return opened
}

/** Every static text of a catalogue. */
function textsIn(catalogue: object): Set<string> {
  const values = Object.values(catalogue).flatMap((value: unknown) =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value !== null
        ? [...textsIn(value)]
        : [],
  )
  return new Set(values.filter((text) => /\p{L}{2}/u.test(text) && !languages.includes(text)))
}

/** These names are the same in every language. */
const languages = Object.values(languageNames)

const nameOf = (path: string) => path.replace(/^.*\/|\.texts\.ts$/g, '')
const defaults = Object.entries(import.meta.glob<{ texts: object }>('../../**/*.texts.ts'))
const byRoom = Object.fromEntries(
  await Promise.all(
    defaults
      // Other files contain all languages, and select one by the page's language.
      .filter(([path]) => nameOf(path) in german)
      .map(async ([path, load]) => [nameOf(path), (await load()).texts] as const),
  ),
)
/** The English catalogue contains only the texts that differ from the default. */
const inEnglish = (de: object, en: object = {}): object => textsFor('en', { de, en })
const catalogues = {
  de: textsIn(byRoom),
  en: textsIn(Object.entries(byRoom).map(([room, texts]) => inEnglish(texts, english[room]))),
  'de-DE': textsIn(german),
}

/** The words of the other languages that this language does not contain. */
const foreignTo = (locale: 'en' | 'de-DE') =>
  new Set(
    Object.values(catalogues)
      .flatMap((texts) => [...texts])
      .filter((text) => !catalogues[locale].has(text)),
  )

/** Visible texts and accessible names, one by one. */
const shown = ({ page }: OpenedConsole) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const pieces: string[] = [document.title.split(' · ')[0] ?? '']
    while (walker.nextNode()) pieces.push(walker.currentNode.textContent?.trim() ?? '')
    for (const element of document.querySelectorAll('[aria-label], [placeholder], [title]'))
      for (const name of ['aria-label', 'placeholder', 'title'])
        pieces.push(element.getAttribute(name)?.trim() ?? '')
    return pieces
  })

const pages = [
  '/',
  '/me/profile',
  '/me/password',
  '/me/passkeys',
  '/me/otp',
  '/me/sessions',
  '/projects',
  '/projects/create',
  '/root',
]

test('DEC-28 TIME-02 the default shows the specification’s literal texts, and marks German ones as German', async () => {
  await given.project(await given.person(), { label: 'Another user’s', products: [] })
  const opened = await openConsole(server, { as: await given.person({ isRoot: true }) })
  const notice = opened.page.getByText('Für dieses Projekt sind keine Apps freigeschaltet.')
  await notice.waitFor()
  expect(await notice.evaluate((element) => element.closest('[lang]')?.getAttribute('lang'))).toBe('de')
  await expectPage(opened.page.locator('html')).toHaveAttribute('lang', 'de')
  const loaded = await opened.page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  )
  expect(loaded.filter((name) => /\/(?:en|de-DE)-[\w-]+\.js/.test(name))).toEqual([])
})

test.each(['en', 'de-DE'] as const)(
  'DEC-28 %s is used on every page, from the login on, without words of another language',
  async (locale) => {
    const foreign = foreignTo(locale)
    const own = catalogues[locale]
    const login = await openIn(locale)
    await login.page.getByRole('textbox').waitFor()
    await expectPage(login.page.locator('html')).toHaveAttribute('lang', locale)
    const first = await shown(login)
    expect(first.filter((text) => foreign.has(text))).toEqual([])
    expect(first.filter((text) => own.has(text)).length).toBeGreaterThan(1)
    await login.expectAccessible()

    const person = await given.person({ isRoot: true })
    await given.project(person, { label: 'Hall 7' })
    const opened = await openIn(locale, { as: person, path: '/' })
    let found = 0
    for (const path of pages) {
      await opened.page.goto(path)
      await opened.page.locator('#content h1').waitFor()
      await opened.page.waitForLoadState('networkidle')
      const texts = await shown(opened)
      expect(
        texts.filter((text) => foreign.has(text)),
        path,
      ).toEqual([])
      found += texts.filter((text) => own.has(text)).length
    }
    expect(found).toBeGreaterThan(100)
    expect(opened.complaints).toEqual([])
  },
)

test('DEC-28 the login offers the languages, stores the choice in the browser and can reset it', async () => {
  const { page } = await openConsole(server)
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await expectPage(page.getByRole('heading', { name: 'Anmelden' })).toBeVisible()
  await page.reload()
  await expectPage(page.getByRole('link', { name: 'Deutsch' })).toHaveAttribute('aria-current', 'true')
  await page.getByRole('link', { name: 'Standard' }).click()
  await expectPage(page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await expectPage(page.locator('html')).toHaveAttribute('lang', 'de')
})

test('kubernetes-sigs/headlamp#4314 a change of language at the login keeps the query and the fragment of the address', async () => {
  const address = '/projects?search=halle#first'
  const { page } = await openConsole(server, { path: address })
  const toGerman = page.getByRole('link', { name: 'Deutsch' })
  // A new tab loads its address.
  await expectPage(toGerman).toHaveAttribute('href', '/projects?search=halle')
  await toGerman.click()
  await expectPage(page.getByRole('heading', { name: 'Anmelden' })).toBeVisible()
  await expectPage(page).toHaveURL(address)
})

test('DEC-28 DEC-35 a language chosen under /settings is stored in the account and applies in other browsers', async () => {
  const ada = await given.person()
  const here = await openConsole(server, { as: ada, path: '/settings/language' })
  const elsewhere = await openConsole(server, { as: ada, path: '/me/profile' })
  await elsewhere.page.getByRole('button', { name: 'Save' }).waitFor()
  await here.page.getByRole('radio', { name: 'Deutsch' }).click({ force: true })
  await expectPage(here.page.getByRole('heading', { name: 'Sprache' })).toBeVisible()
  // The console reloaded the page and restored the focus.
  await expectPage(here.page.getByRole('radio', { name: /^Deutsch/ })).toBeFocused()
  expect((await ada.call(settingsEndpoints.read)).body.language).toBe('de-DE')
  await expectPage(elsewhere.page.getByRole('button', { name: 'Speichern' })).toBeVisible()
  const later = await openConsole(server, { as: ada })
  await expectPage(later.page.locator('html')).toHaveAttribute('lang', 'de-DE')
  await expectPage(later.page.getByRole('heading', { level: 1 })).toBeVisible()
  await later.expectAccessible()
})

test('DEC-28 the first sign-in in a browser shows the console in the account’s language only', async () => {
  const ada = await given.person()
  expect(await ada.call(settingsEndpoints.update, { body: { language: 'de-DE' } })).toSucceed()
  const { page } = await openConsole(server, { path: null })
  // The first event makes the console read the settings.
  await page.routeWebSocket('**/api/ws', (socket) => {
    const hub = socket.connectToServer()
    hub.onMessage((message) =>
      setTimeout(() => socket.send(message), String(message).includes('"subscribed"') ? 600 : 0),
    )
  })
  await page.addInitScript(() => {
    const look = () => {
      const isShown = document.querySelector('#content h1')?.checkVisibility({ opacityProperty: true })
      if (isShown === true) sessionStorage.setItem(`shown in ${document.documentElement.lang}`, 'yes')
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  await page.goto('/')
  await page.getByLabel('Username').fill(ada.email)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Password' }).click()
  await page.getByRole('textbox', { name: 'Password' }).fill(ada.password)
  await page.keyboard.press('Enter')
  await page.waitForFunction(() => sessionStorage.getItem('shown in de-DE') !== null)
  expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain('shown in de')
})

test('DEC-28 a catalogue that fails to load leaves the default language with a notice, and is retried later', async () => {
  const opened = await openConsole(server, { path: null })
  await opened.page.addInitScript(() => localStorage.setItem('pult.locale', 'en'))
  await opened.page.route(/\/en-[\w-]+\.js/, (route) => route.abort())
  await opened.page.goto('/')
  await expectPage(opened.page.getByText('Your language could not be loaded')).toBeVisible()
  await expectPage(opened.page.getByRole('heading', { name: 'Login' })).toBeVisible()
  await expectPage(opened.page.locator('html')).toHaveAttribute('lang', 'de')
  await opened.page.unroute(/\/en-[\w-]+\.js/)
  await opened.page.reload()
  await expectPage(opened.page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('DEC-28 the server’s errors are in the language of the page', async () => {
  const opened = await openIn('de-DE')
  await opened.page.getByRole('textbox').fill('niemand@example.org')
  await opened.page.keyboard.press('Enter')
  await opened.page.getByRole('button', { name: 'Passwort' }).first().click()
  await opened.page.getByLabel('Passwort', { exact: true }).fill('falsches Passwort')
  await opened.page.keyboard.press('Enter')
  await expectPage(opened.page.getByText('Die Anmeldedaten stimmen nicht')).toBeVisible()
})
