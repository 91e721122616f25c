import * as z from 'zod/mini'
import { limits } from '../limits.ts'

/** Excludes control characters, line separators, bidirectional controls and unpaired surrogates. */
export const printable = /^[^\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/u

/** A first or last name. */
export const personName = z
  .string()
  .check(
    z.trim(),
    z.minLength(limits.nameMin),
    z.maxLength(limits.nameMax),
    z.regex(printable, 'Must not contain control characters'),
  )
