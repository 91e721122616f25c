import type { TextOverrides } from '@pult/sdk'
import type { texts } from './password.texts.ts'

export const en: TextOverrides<typeof texts> = {
  title: 'Password / Set a new password',
  newPasswordTooShort: 'Please use at least 8 characters',
  save: 'Set the new password',
  saving: 'Setting the new password',
  changeError: 'Changing the password failed',
}
