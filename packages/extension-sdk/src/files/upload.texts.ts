import { deDE } from './upload.texts.de-DE.ts'

export const de = {
  choose: 'Choose a file',
  chooseSeveral: 'Choose files',
  drop: 'or drop it here',
  dropSeveral: 'or drop them here',
  dropNow: 'Drop to upload',
  uploading: (name: string) => `Uploading ${name}`,
  processing: (name: string) => `Processing ${name}`,
  waiting: (count: number) => (count === 1 ? '1 more file' : `${count} more files`),
  abort: 'Abort',
  failed: 'Upload failed',
  retry: 'Retry',
  dismiss: 'Dismiss',
  notAccepted: 'Files of this type are not accepted here',
}

export const uploadTexts = { de, 'de-DE': deDE }
