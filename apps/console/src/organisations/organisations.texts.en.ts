import type { TextOverrides } from '@pult/sdk'
import type { texts } from './organisations.texts.ts'

export const en: TextOverrides<typeof texts> = {
  title: 'Organisations',
}
