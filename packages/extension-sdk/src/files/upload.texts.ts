import { deDE } from './upload.texts.de-DE.ts'

export const de = {
  choose: 'Choose a file',
  chooseSeveral: 'Choose files',
  drop: 'or drop it here',
  dropSeveral: 'or drop them here',
  dropNow: 'Drop to upload',
  uploading: (name: string) => `Uploading ${name}`,
  processing: (name: string) => `Processing ${name}`,
  fileOf: (position: number, count: number) => `File ${position} of ${count}`,
  sentOf: (sent: string, size: string) => `${sent} of ${size}`,
  rate: (bytes: string) => `${bytes}/s`,
  remaining: (duration: string) => `${duration} left`,
  waitingForConnection: 'Waiting for the connection',
  interrupted: (count: number): string =>
    count === 1 ? '1 upload was interrupted' : `${count} uploads were interrupted`,
  chooseAgain: (count: number): string =>
    count === 1 ? 'Choose the same file again to continue.' : 'Choose the same files again to continue.',
  discard: 'Discard',
  discardFile: (name: string) => `Discard ${name}`,
  abort: 'Abort',
  failed: 'Upload failed',
  retry: 'Retry',
  dismiss: 'Dismiss',
  notAccepted: 'Files of this type are not accepted here',
}

export const uploadTexts = { de, 'de-DE': deDE }
