import type { TextOverrides } from '../texts.ts'
import type { de } from './tasks.texts.ts'

export const en: TextOverrides<typeof de> = {
  jobFailed: 'The job failed',
  fileGenerationFailed: 'Generating the file failed',
  unknownError: 'An unknown error occurred',
  preparing: 'The download is being prepared …',
}
