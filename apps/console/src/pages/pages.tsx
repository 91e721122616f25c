import Bell from 'lucide-react/icons/bell'
import Blocks from 'lucide-react/icons/blocks'
import Building2 from 'lucide-react/icons/building-2'
import CircleUser from 'lucide-react/icons/circle-user'
import FolderKanban from 'lucide-react/icons/folder-kanban'
import FolderPlus from 'lucide-react/icons/folder-plus'
import Grid3x3 from 'lucide-react/icons/grid-3x3'
import House from 'lucide-react/icons/house'
import Info from 'lucide-react/icons/info'
import KeyRound from 'lucide-react/icons/key-round'
import Languages from 'lucide-react/icons/languages'
import ListChecks from 'lucide-react/icons/list-checks'
import Mail from 'lucide-react/icons/mail'
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone'
import RectangleEllipsis from 'lucide-react/icons/rectangle-ellipsis'
import Shield from 'lucide-react/icons/shield'
import ShieldCheck from 'lucide-react/icons/shield-check'
import SlidersHorizontal from 'lucide-react/icons/sliders-horizontal'
import SunMoon from 'lucide-react/icons/sun-moon'
import UserRound from 'lucide-react/icons/user-round'
import type { ComponentType, ReactNode } from 'react'
import { defaultsOf } from '#platform/locale.ts'
import type { SectionPageProps } from '#platform/section/SectionPage.tsx'
import type { InstallationPageName } from '../shell/installation-pages.ts'
import { texts } from './pages.texts.ts'

const { labels, words } = texts

/**
 * A page of the console, declared only here. The route, the navigation, the palette, the keys and the title read it.
 */
export interface Page {
  path: string
  label: string
  /** The title, if it is not the label. */
  title?: string
  /** Keywords for the palette, with the label and keywords of the default language. */
  words: string
  icon: ReactNode
  /** The users who may open it; by default all. `app-settings`: users of an app that has settings for them. */
  permission?: 'root' | 'app-settings'
  /** The shortcut G followed by this letter opens the page. */
  letter?: string
  /** `data`: the page fills the sheet beside its section's navigation. By default it is as wide as a form. */
  width?: 'data'
  /** Loads the page's code on the first visit. */
  load: () => Promise<ComponentType>
}

type Declaration = Pick<Page, 'path' | 'title' | 'permission' | 'letter' | 'width' | 'load'>

const page = (name: keyof typeof words, icon: ReactNode, declaration: Declaration): Page => ({
  ...declaration,
  label: labels[name],
  words: [words[name], defaultsOf(labels)[name], defaultsOf(words)[name]].join(' '),
  icon,
})

const home = page('home', <House aria-hidden="true" />, {
  path: '/',
  letter: 'h',
  load: async () => (await import('./Home.tsx')).Home,
})

const tasks = page('tasks', <ListChecks aria-hidden="true" />, {
  path: '/tasks',
  letter: 't',
  load: async () => (await import('../tasks/TasksPage.tsx')).TasksPage,
})

const projects = page('projects', <FolderKanban aria-hidden="true" />, {
  path: '/projects',
  letter: 'p',
  load: async () => (await import('../projects/ProjectsPage.tsx')).ProjectsPage,
})

const createProject = page('createProject', <FolderPlus aria-hidden="true" />, {
  path: '/projects/create',
  load: async () => (await import('../projects/CreateProjectPage.tsx')).CreateProjectPage,
})

const organizations = page('organizations', <Building2 aria-hidden="true" />, {
  path: '/orgs',
  load: async () => (await import('../organisations/OrganisationsPage.tsx')).OrganisationsPage,
})

const createOrganization = page('createOrganization', <Building2 aria-hidden="true" />, {
  path: '/orgs/create',
  load: async () => (await import('../organisations/CreateOrganisationPage.tsx')).CreateOrganisationPage,
})

const root = page('root', <Shield aria-hidden="true" />, {
  path: '/root',
  permission: 'root',
  load: async () => (await import('../extensions/RootPage.tsx')).RootPage,
})

/** Users rarely open the pages of the installation. */
const ofInstallation = (name: InstallationPageName) =>
  page(name, <Info aria-hidden="true" />, {
    path: `/${name}`,
    load: async () => {
      const { InstallationPage } = await import('../shell/InstallationPage.tsx')
      return () => <InstallationPage name={name} />
    },
  })

export const pages = {
  home,
  projects,
  createProject,
  organizations,
  createOrganization,
  tasks,
  root,
  contact: ofInstallation('contact'),
  privacy: ofInstallation('privacy'),
  imprint: ofInstallation('imprint'),
}

/** Related pages with their own navigation. The section's path also opens the first page. */
export interface Section {
  path: string
  title: string
  pages: readonly Page[]
  /** Its entry in the navigation. */
  entry: { href: string; label: string; icon: ReactNode }
  load: () => Promise<ComponentType<SectionPageProps>>
}

export const account: Section = {
  path: '/me',
  title: labels.account,
  entry: { href: '/me', label: labels.profile, icon: <CircleUser aria-hidden="true" /> },
  load: async () => (await import('#platform/section/SectionPage.tsx')).SectionPage,
  pages: [
    page('profile', <UserRound aria-hidden="true" />, {
      path: '/me/profile',
      load: async () => (await import('../account/profile/ProfilePage.tsx')).ProfilePage,
    }),
    page('emails', <Mail aria-hidden="true" />, {
      path: '/me/emails',
      load: async () => (await import('../account/emails/EmailsPage.tsx')).EmailsPage,
    }),
    page('password', <RectangleEllipsis aria-hidden="true" />, {
      path: '/me/password',
      load: async () => (await import('../account/password/PasswordPage.tsx')).PasswordPage,
    }),
    page('passkeys', <KeyRound aria-hidden="true" />, {
      path: '/me/passkey',
      load: async () => (await import('../account/passkeys/PasskeysPage.tsx')).PasskeysPage,
    }),
    page('otp', <ShieldCheck aria-hidden="true" />, {
      path: '/me/otp',
      title: texts.titles.otp,
      load: async () => (await import('../account/otp/OtpPage.tsx')).OtpPage,
    }),
    page('sessions', <MonitorSmartphone aria-hidden="true" />, {
      path: '/me/sessions',
      load: async () => (await import('../account/sessions/SessionsPage.tsx')).SessionsPage,
    }),
  ],
}

export const settings: Section = {
  path: '/settings',
  title: labels.settings,
  entry: {
    href: '/settings/stream-decks',
    label: labels.deviceSettings,
    icon: <SlidersHorizontal aria-hidden="true" />,
  },
  load: async () => (await import('../settings/SettingsPage.tsx')).SettingsPage,
  pages: [
    page('appearance', <SunMoon aria-hidden="true" />, {
      path: '/settings/appearance',
      load: async () => (await import('../settings/appearance/AppearancePage.tsx')).AppearancePage,
    }),
    page('language', <Languages aria-hidden="true" />, {
      path: '/settings/language',
      load: async () => (await import('../settings/language/LanguagePage.tsx')).LanguagePage,
    }),
    page('notifications', <Bell aria-hidden="true" />, {
      path: '/settings/notifications',
      load: async () => (await import('../settings/notifications/NotificationsPage.tsx')).NotificationsPage,
    }),
    page('streamDecks', <Grid3x3 aria-hidden="true" />, {
      path: '/settings/stream-decks',
      width: 'data',
      load: async () => (await import('../settings/stream-decks/StreamDecksPage.tsx')).StreamDecksPage,
    }),
    page('appSettings', <Blocks aria-hidden="true" />, {
      path: '/settings/apps',
      permission: 'app-settings',
      load: async () => (await import('../settings/extensions/AppSettingsPage.tsx')).AppSettingsPage,
    }),
  ],
}
