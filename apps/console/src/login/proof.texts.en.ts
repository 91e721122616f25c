import type { TextOverrides } from '@pult/sdk'
import type { texts } from './proof.texts.ts'

export const en: TextOverrides<typeof texts> = {
  title: 'Sign in',
  abort: 'Cancel',
  login: 'Sign in',
  forgotPassword: 'Forgot your password?',
  recoverAccount: 'Recover your account',
  mailSent: 'E-mail sent',
  backToLogin: 'Back to sign-in',
}
