import type { TextOverrides } from '@pult/sdk'
import type { de } from './media.texts.ts'
import { plural } from './plural.ts'

export const en: TextOverrides<typeof de> = {
  count: (total: number, isCapped: boolean) =>
    `${isCapped ? 'more than ' : ''}${plural(total, 'media file', 'media files')}`,
  addTagsTitle: (count: number) => `Tag ${plural(count, 'media file', 'media files')}`,
  tagged: (count: number) => `${plural(count, 'media file', 'media files')} tagged`,
  deleted: (count: number) => `${plural(count, 'media file', 'media files')} deleted`,
  gone: 'This media file is gone',
  oneLoadingFailed: 'The media file could not be loaded',
}
