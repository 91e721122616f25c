import type { TextOverrides } from '@pult/sdk'
import type { texts } from './home.texts.ts'

export const en: TextOverrides<typeof texts> = {
  noAppsOwner: 'No apps configured yet.',
  noAppsOthers: 'No apps are enabled for this project.',
}
