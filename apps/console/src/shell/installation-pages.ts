import type { ReplyOf, systemEndpoints } from '@pult/contract'

type PublicSettings = ReplyOf<typeof systemEndpoints.settings>

/**
 * Pages that the operator of the installation provides. Until a setting names an address, the console shows its own
 * page.
 */
export const installationPages = {
  contact: {
    setting: 'CONTACT_URL',
    urlOf: (settings: PublicSettings) => settings.contactUrl,
  },
  privacy: {
    setting: 'PRIVACY_URL',
    urlOf: (settings: PublicSettings) => settings.privacyUrl,
  },
  imprint: {
    setting: 'IMPRINT_URL',
    urlOf: (settings: PublicSettings) => settings.imprintUrl,
  },
}

export type InstallationPageName = keyof typeof installationPages
