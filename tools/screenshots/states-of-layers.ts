import type { Page } from 'playwright-core'
import { livingProjects } from '../demo/demo-story.ts'
import { click, heading, inOrder, link, main, press, type State, text, wait } from './state.ts'

/* Layers above the pages: menus, dialogs, questions, sheets and messages. */

const as = 'henrik'
const root = 'rosa'
const home = heading(livingProjects.shorePower.label)
const firstPicture = link(/Hafen am Abend/)
const dialog = (page: Page) => page.getByRole('dialog').last()
const question = (page: Page) => page.getByRole('alertdialog')
const inHeader = (name: RegExp) => (page: Page) =>
  page.getByRole('banner').getByRole('button', { name }).click()
const inMain = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name }).first().click()
const tasksPanel = inOrder(inHeader(/task/i), wait(dialog))
/** The tasks from the bar at the bottom of a phone. */
const tasksSheet = inOrder(
  (page: Page) => page.getByRole('navigation').getByRole('button', { name: /task/i }).click(),
  wait(dialog),
)

/** A layer of the header. */
const headerMenu = (name: string, button: RegExp): State => ({
  name,
  as,
  path: '/',
  shown: home,
  act: inOrder(inHeader(button), wait(dialog)),
})
const note = (act: State['act']): Omit<State, 'name'> => ({
  as,
  path: '/app/project-details/notes',
  shown: link(/Umschaltung Landstrom/),
  ...(act && { act: inOrder(click('link', /Umschaltung Landstrom/), act) }),
})
const asked: State['act'] = inOrder(inMain('Delete'), wait(question))

export const statesOfLayers: State[] = [
  headerMenu('menu-apps', /^Apps/),
  headerMenu('menu-account', /^Your account/),
  {
    name: 'project-switcher',
    as,
    path: '/',
    shown: home,
    act: inOrder(click('button', /^Active project/), wait(dialog)),
  },
  {
    name: 'drawer',
    as,
    path: '/',
    width: 390,
    shown: home,
    act: inOrder(click('button', 'More'), wait(dialog)),
  },
  { name: 'tasks-sheet', as, path: '/', width: 390, shown: home, act: tasksSheet },
  {
    name: 'task-details',
    as,
    path: '/',
    shown: home,
    act: inOrder(
      tasksPanel,
      click('button', /^Details and log: Probelauf/),
      wait((page) => dialog(page).getByText('Stage 1 of')),
    ),
  },
  {
    name: 'task-abort',
    as,
    path: '/',
    shown: home,
    act: inOrder(
      tasksPanel,
      // Home has such a button as well.
      (page) =>
        page
          .getByRole('dialog')
          .getByRole('button', { name: /^Abort: Probelauf/ })
          .first()
          .click(),
      wait(question),
    ),
  },
  { name: 'note-delete', ...note(asked) },
  {
    name: 'note-leave',
    ...note(
      inOrder(
        (page) => page.getByRole('main').getByLabel('Label').last().fill('Umschaltung'),
        click('link', 'Projects'),
        wait(question),
      ),
    ),
  },
  {
    name: 'message',
    as,
    path: '/me/profile',
    shown: main,
    act: inOrder(
      async (page) => page.route(/\/api\/me\/account\/profile/, (route) => route.abort()),
      (page) => page.getByRole('main').getByRole('textbox').first().fill('Hendrik'),
      press('ControlOrMeta+s'),
      wait((page) => page.getByRole('region', { name: 'Notifications' }).getByText('Profile update error')),
    ),
  },
  {
    name: 'confirm-who-one-is',
    as,
    path: '/me/emails',
    shown: text('albers@'),
    act: inOrder(
      async (page) =>
        page.route(/\/api\/me\/account\/emails$/, (route) =>
          route.request().method() === 'POST'
            ? route.fulfill({
                status: 403,
                json: { code: 'RECENT_SIGN_IN_NEEDED', message: 'Please confirm' },
              })
            : route.continue(),
        ),
      (page) => page.getByRole('main').getByRole('textbox').last().fill('neu@nordkai.example'),
      inMain('Add'),
      wait(dialog),
    ),
  },
  {
    name: 'email-actions',
    as,
    path: '/me/emails',
    shown: text('leitstand@'),
    act: inOrder(
      inMain(/leitstand@/),
      wait((page) => page.getByRole('menu')),
    ),
  },
  {
    name: 'otp-set-up',
    as,
    path: '/me/otp',
    shown: main,
    act: inOrder(
      inMain('Enable OTP'),
      wait((page) => page.getByRole('img', { name: /QR/ })),
    ),
  },
  {
    name: 'media-selection',
    as,
    path: '/app/media-library',
    shown: firstPicture,
    act: inOrder(
      (page) =>
        page
          .getByRole('checkbox', { name: /^Select/ })
          .first()
          .check({ force: true }),
      inMain('Delete'),
      wait(question),
    ),
  },
  {
    name: 'media-uploading',
    as,
    path: '/app/media-library',
    shown: firstPicture,
    act: inOrder(
      async (page) =>
        page.route(/./, (route) => {
          if (route.request().method() !== 'PUT') return route.continue()
        }),
      (page) =>
        page
          .locator('input[type=file]')
          .first()
          .setInputFiles({
            name: 'Kran.png',
            mimeType: 'image/png',
            buffer: Buffer.from('iVBORw0KGgo=', 'base64'),
          }),
      wait((page) => page.getByRole('main').getByRole('progressbar')),
    ),
  },
  {
    name: 'account-invite',
    as: root,
    path: '/app/accounts',
    shown: text('Albers'),
    act: inOrder(inMain('Invite a person'), wait(dialog)),
  },
  {
    name: 'extension-install',
    as: root,
    path: '/app/extensions',
    shown: text('Media Library'),
    act: inOrder(inMain('Install an extension'), wait(dialog)),
  },
  {
    name: 'audit-event',
    as: root,
    path: '/app/audit',
    shown: (page) => page.getByRole('rowheader').getByRole('button').first(),
    act: inOrder((page) => page.getByRole('rowheader').getByRole('button').first().click(), wait(dialog)),
  },
]
