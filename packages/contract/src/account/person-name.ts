import { limits } from '../limits.ts'
import { nameText } from '../text.ts'

/** A first or last name. */
export const personName = nameText(limits.nameMax, { min: limits.nameMin })
