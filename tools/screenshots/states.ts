import type { Page } from 'playwright-core'
import { demoMachines } from '../demo/demo-agents.ts'
import { demoOrganisations, livingProjects } from '../demo/demo-story.ts'
import { click, heading, inOrder, link, main, press, type State, text, wait } from './state.ts'
import { statesOfLayers } from './states-of-layers.ts'
import { statesOfTrouble } from './states-of-trouble.ts'

const home = heading(livingProjects.shorePower.label)
const openWindow = (label: string) =>
  inOrder(click('button', `Open ${label} in a window`), (page) =>
    page.getByRole('dialog', { name: label }).waitFor(),
  )
/** The right half comes first, because the buttons that open the next window are on the left. */
const tiled = inOrder(
  openWindow('Media Library'),
  press('ControlOrMeta+Alt+ArrowRight'),
  openWindow('Edges'),
  press('ControlOrMeta+Alt+ArrowLeft'),
)

const as = 'henrik'
const root = 'rosa'
const account = (path: string): State => ({ name: `account-${path}`, as, path: `/me/${path}`, shown: main })
const settings = (path: string): State => ({
  name: `settings-${path}`,
  as,
  path: `/settings/${path}`,
  shown: main,
})
const details = (tab: string): State => ({
  name: `project-details-${tab}`,
  as,
  path: `/app/project-details/${tab}`,
  shown: main,
})
const organisation = link(demoOrganisations.nordkai)
const firstPicture = link(/Hafen am Abend/)
const firstMachine = link(demoMachines[0]?.label ?? '')

const username = (page: Page) => page.getByPlaceholder('Username / E-Mail')
const typed = inOrder((page) => username(page).fill('albers@nordkai.example'), press('Enter'))

export const states: State[] = [
  { name: 'login', path: '/', shown: username, act: (page) => username(page).fill('albers@nordkai.example') },
  { name: 'login-methods', path: '/', shown: username, act: typed },
  {
    name: 'login-password',
    path: '/',
    shown: username,
    act: inOrder(
      typed,
      click('button', 'Password'),
      wait((page) => page.getByLabel('Password', { exact: true })),
    ),
  },
  {
    name: 'bift-not-valid',
    path: '/bift/not-a-link-of-this-installation',
    shown: (page) => page.getByRole('heading'),
  },

  { name: 'home', as, path: '/', shown: home },
  {
    name: 'palette',
    as,
    path: '/',
    shown: home,
    act: inOrder(
      press('ControlOrMeta+k'),
      (page) => page.getByRole('combobox').fill('kabel'),
      wait((page) => page.getByRole('option', { name: /Kabelwagen/ }).first()),
    ),
  },
  { name: 'shortcuts', as, path: '/', shown: home, act: press('?') },
  {
    name: 'tasks-panel',
    as,
    path: '/',
    shown: home,
    act: (page) => page.getByRole('banner').getByRole('button', { name: /task/i }).click(),
  },
  { name: 'tasks', as, path: '/tasks', shown: text('Probelauf') },
  { name: 'organisations', as, path: '/orgs', shown: organisation },
  {
    name: 'organisation',
    as,
    path: '/orgs',
    shown: organisation,
    act: inOrder(click('link', demoOrganisations.nordkai), wait(text('disposition@'))),
  },
  { name: 'organisation-create', as, path: '/orgs/create', shown: main },
  { name: 'projects', as: root, path: '/projects', shown: text('Containerterminal 3') },
  { name: 'project-create', as, path: '/projects/create', shown: main },
  ...['profile', 'emails', 'password', 'passkey', 'otp', 'sessions'].map(account),
  ...['appearance', 'language', 'notifications', 'stream-decks', 'apps'].map(settings),
  ...['contact', 'privacy', 'imprint'].map((name): State => ({ name, as, path: `/${name}`, shown: main })),
  { name: 'not-found', as, path: '/nowhere', shown: main },

  ...['overview', 'people', 'notes', 'settings', 'tokens'].map(details),
  {
    name: 'note-create',
    as,
    path: '/app/project-details/notes/create',
    shown: (page) => page.getByLabel('Label'),
  },
  { name: 'media', as, path: '/app/media-library', shown: firstPicture },
  {
    name: 'media-list',
    as,
    path: '/app/media-library?view=list&sort=label',
    shown: (page) => page.getByRole('grid').getByRole('link').first(),
  },
  {
    name: 'medium',
    as,
    path: '/app/media-library',
    shown: firstPicture,
    act: (page) => firstPicture(page).click(),
  },
  { name: 'edges', as, path: '/app/edges', shown: firstMachine },
  { name: 'edge', as, path: '/app/edges', shown: firstMachine, act: (page) => firstMachine(page).click() },
  { name: 'edge-add', as, path: '/app/edges', shown: firstMachine, act: click('button', 'Add an edge') },
  {
    name: 'edge-updates',
    as,
    path: '/app/edges',
    shown: firstMachine,
    act: click('button', 'Agent updates'),
  },
  { name: 'edge-keys', as, path: '/app/edges/keys', shown: text('Enrolment keys') },
  { name: 'hello', as, path: '/app/hello', shown: main },
  { name: 'root-home', as: root, path: '/root', shown: main },
  { name: 'accounts', as: root, path: '/app/accounts', shown: text('Albers') },
  { name: 'account', as: root, path: '/app/accounts', shown: text('Albers'), act: click('link', /Albers/) },
  { name: 'extensions', as: root, path: '/app/extensions', shown: text('Media Library') },
  {
    name: 'extension',
    as: root,
    path: '/app/extensions',
    shown: text('Media Library'),
    act: (page) => page.getByRole('grid').getByRole('link', { name: 'Media Library' }).click(),
  },
  { name: 'audit', as: root, path: '/app/audit', shown: main },
  ...statesOfLayers,
  ...statesOfTrouble,
  // Placed late in the list, because windows are restored on every later page.
  { name: 'windows', as, path: '/', shown: home, act: tiled },
  // The response never arrives, so that the boot screen stays at this step and no page opens.
  {
    name: 'boot',
    as,
    path: '/',
    shown: home,
    act: async (page) => {
      await page.route(/\/api\/start/, () => {})
      await page.reload()
      await page.getByText('Authentication init').waitFor()
    },
  },
]
