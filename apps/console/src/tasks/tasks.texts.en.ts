import type { TextOverrides } from '@pult/sdk'
import type { texts } from './tasks.texts.ts'

export const en: TextOverrides<typeof texts> = {
  notices: {
    info: {
      created: 'Started …',
      finished: 'Finished',
      failed: 'An error occurred',
      timedOut: 'Timed out',
    },
    'download-generation': {
      created: 'The download is being prepared …',
      finished: 'The download is ready',
      failed: 'An error occurred',
      timedOut: 'Timed out',
    },
  },
}
