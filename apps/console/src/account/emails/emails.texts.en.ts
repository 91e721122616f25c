import type { TextOverrides } from '@pult/sdk'
import type { texts } from './emails.texts.ts'

export const en: TextOverrides<typeof texts> = {
  title: 'E-mails',
  addingFailed: 'Adding the e-mail address failed',
  resent: 'Confirmation e-mail sent',
}
