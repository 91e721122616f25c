import type { RouteObject } from 'react-router'

const loadAppearance = async () => (await import('./appearance/AppearancePage.tsx')).AppearancePage

/** How the person wants the console and the devices to be. Nothing of it is part of the console's frame. */
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
      path: 'stream-decks',
      lazy: { Component: async () => (await import('./stream-decks/StreamDecksPage.tsx')).StreamDecksPage },
    },
  ],
}
