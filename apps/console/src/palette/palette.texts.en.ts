import type { TextOverrides } from '@pult/sdk'
import type { texts } from './palette.texts.ts'

export const en: TextOverrides<typeof texts> = {
  logout: 'Sign out',
}
