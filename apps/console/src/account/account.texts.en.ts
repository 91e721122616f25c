import type { TextOverrides } from '@pult/sdk'
import type { texts } from './account.texts.ts'

export const en: TextOverrides<typeof texts> = {
  emails: 'E-mails',
}
