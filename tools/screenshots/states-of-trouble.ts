import type { Page } from 'playwright-core'
import { demoPeople } from '../demo/demo-people.ts'
import { livingProjects } from '../demo/demo-story.ts'
import { click, failing, heading, inOrder, main, press, type State, text, wait } from './state.ts'

/* Links from mails, and states with missing, rejected or broken data. */

const as = 'henrik'
const username = (page: Page) => page.getByPlaceholder('Username / E-Mail')
const alert = (page: Page) => page.getByRole('alert').first()

const passwordOf =
  (email: string): NonNullable<State['act']> =>
  async (page, { password }) => {
    await username(page).fill(email)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Password' }).click()
    await page.getByLabel('Password', { exact: true }).fill(password)
  }

const homeOfProject = heading(livingProjects.shorePower.label)
const homeFailing = failing(/\/api\/projects\/[^/]+\/home$/)

/** The page of a link before the user acts. */
const linkPage = (name: string, action: string, act?: State['act']): State => ({
  name,
  path: '/imprint',
  shown: username,
  act: inOrder(
    async (page) => {
      const user = action === 'invite:registration' ? null : { firstname: 'Ada', lastname: 'Lovelace' }
      await page.route(/\/api\/bift\/preflight\//, (route) =>
        route.fulfill({ json: { action, data: { email: 'ada@example.org', user } } }),
      )
      await page.goto('/bift/a-link-of-a-mail')
      await main(page).waitFor()
    },
    ...(act ? [act] : []),
  ),
})

export const statesOfTrouble: State[] = [
  {
    name: 'login-missing',
    path: '/',
    shown: username,
    act: inOrder(click('button', 'Next'), wait(text('Please enter your username'))),
  },
  {
    name: 'login-wrong',
    path: '/',
    shown: username,
    act: inOrder(
      (page) => passwordOf('unknown@example.org')(page, { password: 'not the one' }),
      press('Enter'),
      wait(alert),
    ),
  },
  {
    name: 'login-otp',
    path: '/',
    shown: username,
    act: inOrder(
      passwordOf(demoPeople.maike.email),
      press('Enter'),
      wait((page) => page.getByLabel('OTP')),
    ),
  },
  {
    name: 'login-forgot',
    path: '/',
    shown: username,
    act: inOrder(
      passwordOf('unknown@example.org'),
      click('button', 'Forgot password'),
      wait(heading(/mail|inbox/i)),
    ),
  },
  linkPage('registration', 'invite:registration'),
  linkPage(
    'registration-missing',
    'invite:registration',
    inOrder(click('button', 'Account erstellen'), wait(text('Mindestens 2 Zeichen'))),
  ),
  linkPage('password-reset', 'user:reset-password'),
  linkPage('otp-recovery', 'user:otp-recovery'),
  linkPage('link-unknown', 'user:future'),
  { name: 'link-paste', path: '/bift', shown: (page) => page.getByLabel('Link') },
  { name: 'home-without-project', as: 'lukas', path: '/', shown: heading('No project selected') },
  {
    name: 'home-first-steps',
    as: 'rosa',
    path: '/',
    shown: main,
    act: inOrder(
      async (page) =>
        page.route(/\/api\/apps\/root\/first-steps$/, (route) =>
          route.fulfill({
            json: {
              mail: false,
              secondFactor: null,
              organisation: null,
              project: null,
              edge: null,
              edgeProject: null,
              invited: null,
            },
          }),
        ),
      (page) => page.reload(),
      wait(heading('First steps')),
    ),
  },
  {
    name: 'home-failed',
    as,
    path: '/projects',
    shown: main,
    act: inOrder(homeFailing, click('link', 'Home'), wait(text('not available'))),
  },
  { name: 'organisations-none', as: 'lukas', path: '/orgs', shown: main },
  { name: 'projects-none', as: 'lukas', path: '/projects', shown: main },
  { name: 'tasks-none', as: 'lukas', path: '/tasks', shown: main },
  { name: 'access-denied', as: 'sofia', path: '/app/project-details/settings', shown: alert },
  { name: 'safe-mode', as, path: '/?safe-mode', shown: (page) => page.getByText('Safe mode') },
  {
    name: 'note-gone',
    as,
    path: '/app/project-details/notes/edit/0193a3f0-5a2e-7c41-9d5b-2f1b7a6c0d11',
    shown: main,
  },
  {
    name: 'media-failed',
    as,
    path: '/',
    shown: homeOfProject,
    act: inOrder(
      failing(/\/api\/projects\/[^/]+\/media/),
      click('link', 'Media Library'),
      wait(text('not available')),
    ),
  },
  {
    name: 'boot-failed',
    as,
    path: '/',
    shown: homeOfProject,
    act: inOrder(
      failing(/\/api\/(?:probe|start)/),
      (page) => page.reload(),
      wait((page) => page.getByText('The database is not available').first()),
    ),
  },
  {
    name: 'offline',
    as,
    path: '/',
    shown: homeOfProject,
    act: inOrder(
      (page) => page.context().setOffline(true),
      wait((page) => page.getByRole('banner').getByText('You are offline')),
    ),
  },
]
