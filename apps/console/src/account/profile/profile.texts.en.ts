import type { TextOverrides } from '@pult/sdk'
import type { texts } from './profile.texts.ts'

export const en: TextOverrides<typeof texts> = {
  tooShort: 'Please enter at least 2 characters',
  updateError: 'Updating the profile failed',
}
