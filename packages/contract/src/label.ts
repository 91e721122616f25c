import { limits } from './limits.ts'
import { nameText } from './text.ts'

/** A record's label. */
export const label = nameText(limits.labelMax)
