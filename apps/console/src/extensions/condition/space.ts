import type { Condition } from '@pult/contract'

type Files = NonNullable<Condition['files']>

/** Free bytes below which uploads and exports soon fail. */
const minFree = 5e9

/** Share of the limit from which root should act. */
const maxShare = 0.9

const isDiskLow = ({ free }: Files) => free !== null && free < minFree

export const isNearLimit = ({ size, limit }: Files) => limit !== null && size > limit * maxShare

export const isLowOnSpace = (files: Files) => isDiskLow(files) || isNearLimit(files)
