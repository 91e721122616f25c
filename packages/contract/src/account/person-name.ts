import { limits } from '../limits.ts'
import { nameText } from '../text.ts'

/** A first or last name. Both share one entry of an index, which has at most 2,704 bytes. */
export const personName = nameText(limits.nameMax, { min: limits.nameMin, units: 2 * limits.nameMax })
