import type { TextOverrides } from '@pult/sdk'
import type { texts } from './boot.texts.ts'

export const en: TextOverrides<typeof texts> = {
  authenticationInit: 'Checking who you are',
}
