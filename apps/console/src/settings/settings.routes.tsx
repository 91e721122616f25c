import type { RouteObject } from 'react-router'

const loadAppearance = async () => (await import('./appearance/AppearancePage.tsx')).AppearancePage

/** The settings of the console and its devices. They are not part of the console's frame. */
export const settingsRoute: RouteObject = {
  path: '/settings',
  lazy: { Component: async () => (await import('./SettingsPage.tsx')).SettingsPage },
  hydrateFallbackElement: <></>,
  children: [
    { index: true, lazy: { Component: loadAppearance } },
    { path: 'appearance', lazy: { Component: loadAppearance } },
    {
      path: 'language',
      lazy: { Component: async () => (await import('./language/LanguagePage.tsx')).LanguagePage },
    },
    {
      path: 'notifications',
      lazy: {
        Component: async () => (await import('./notifications/NotificationsPage.tsx')).NotificationsPage,
      },
    },
    {
      path: 'apps',
      lazy: { Component: async () => (await import('./extensions/AppSettingsPage.tsx')).AppSettingsPage },
    },
    {
      path: 'stream-decks',
      lazy: { Component: async () => (await import('./stream-decks/StreamDecksPage.tsx')).StreamDecksPage },
    },
  ],
}
