import type { TextOverrides } from '@pult/sdk'
import type { texts } from './stream-decks.texts.ts'

export const en: TextOverrides<typeof texts> = {
  conflict: 'Changed in another browser in the meantime',
}
