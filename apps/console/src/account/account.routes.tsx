import type { RouteObject } from 'react-router'

const loadProfile = async () => (await import('./profile/ProfilePage.tsx')).ProfilePage

/** The account area. Each page loads on its first visit, so that the console's frame does not contain it. */
export const accountRoute: RouteObject = {
  path: '/me',
  lazy: { Component: async () => (await import('./AccountPage.tsx')).AccountPage },
  // The boot screen or the empty frame is visible while the first page loads.
  hydrateFallbackElement: <></>,
  children: [
    { index: true, lazy: { Component: loadProfile } },
    { path: 'profile', lazy: { Component: loadProfile } },
    {
      path: 'emails',
      lazy: { Component: async () => (await import('./emails/EmailsPage.tsx')).EmailsPage },
    },
    {
      path: 'password',
      children: [
        {
          index: true,
          lazy: { Component: async () => (await import('./password/PasswordPage.tsx')).PasswordPage },
        },
      ],
    },
    {
      id: 'passkey',
      path: 'passkey',
      lazy: { Component: async () => (await import('./passkeys/PasskeysPage.tsx')).PasskeysPage },
    },
    {
      id: 'otp',
      path: 'otp',
      lazy: { Component: async () => (await import('./otp/OtpPage.tsx')).OtpPage },
    },
    {
      path: 'sessions',
      lazy: { Component: async () => (await import('./sessions/SessionsPage.tsx')).SessionsPage },
    },
  ],
}
