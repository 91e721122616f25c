import type { TextOverrides } from '@pult/sdk'
import type { texts } from './otp.texts.ts'

export const en: TextOverrides<typeof texts> = {
  activationError: 'Activating the OTP failed',
  regenerationError: 'Regenerating the recovery codes failed',
  resetError: 'Removing the OTP failed',
}
