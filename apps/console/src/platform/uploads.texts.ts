import { textsOf } from '#platform/locale.ts'

/** Not in the platform's texts, because the sign-in page loads those. */
export const texts = textsOf('uploads', {
  storeRefused: 'The file store rejects this file. Try again, or ask the operator',
  fileUnreadable: 'The file on this device has changed or can no longer be read. Choose it again',
})
