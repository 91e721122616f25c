import type { TextOverrides } from '@pult/sdk'
import type { texts } from './pages.texts.ts'

export const en: TextOverrides<typeof texts> = {
  labels: { organizations: 'Organisations', emails: 'E-mails' },
}
