import { createDocumentChoice } from './document-choice.ts'

/** Whether single letters are shortcuts. The attribute silences the single keys of apps and hides their hints. */
export const letterKeys = createDocumentChoice('letterKeys', ['on', 'off'])
