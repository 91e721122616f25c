import type { Condition } from '@pult/contract'

type Files = NonNullable<Condition['files']>

/** Free bytes below which uploads and exports soon fail. */
const freeAtLeast = 5e9

/** Share of the limit from which root should act. */
const shareAtMost = 0.9

export const isDiskLow = ({ free }: Files) => free !== null && free < freeAtLeast

export const isNearLimit = ({ size, limit }: Files) => limit !== null && size > limit * shareAtMost

export const isLowOnSpace = (files: Files) => isDiskLow(files) || isNearLimit(files)
