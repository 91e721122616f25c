import { createDocumentChoice } from './document-choice.ts'

/** The spacing of controls and rows. */
export const density = createDocumentChoice('density', ['comfortable', 'compact'])
