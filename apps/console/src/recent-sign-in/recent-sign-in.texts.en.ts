import type { TextOverrides } from '@pult/sdk'
import type { texts } from './recent-sign-in.texts.ts'

export const en: TextOverrides<typeof texts> = {
  text: 'This needs a sign-in within the last ten minutes. What you have entered is kept.',
}
