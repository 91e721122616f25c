import type { ReplyOf, systemEndpoints } from '@pult/contract'

type PublicSettings = ReplyOf<typeof systemEndpoints.settings>

/**
 * Pages that the operator of the installation provides. Until a setting names an address, the console shows its own
 * page.
 */
export const installationPages = [
  {
    name: 'contact',
    path: '/contact',
    setting: 'CONTACT_URL',
    urlOf: (settings: PublicSettings) => settings.contactUrl,
  },
  {
    name: 'privacy',
    path: '/privacy',
    setting: 'PRIVACY_URL',
    urlOf: (settings: PublicSettings) => settings.privacyUrl,
  },
  {
    name: 'imprint',
    path: '/imprint',
    setting: 'IMPRINT_URL',
    urlOf: (settings: PublicSettings) => settings.imprintUrl,
  },
] as const

export type InstallationPage = (typeof installationPages)[number]
