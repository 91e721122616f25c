import type { TextOverrides } from '@pult/sdk'
import type { texts } from './login.texts.ts'

export const en: TextOverrides<typeof texts> = {
  title: 'Sign in',
  username: 'Username or e-mail address',
  usernameMissing: 'Please enter your username or e-mail address',
}
