import * as z from 'zod/mini'

/*
 * The rule for serial numbers of Stream Decks, in the console, on the server and at edges. Settings are stored by serial
 * number, so a text that several devices could report must not count as one.
 */

/** Letters, digits, `-` and `_`, but not only zeros and punctuation, which unprogrammed devices report. */
const serialPattern = /^(?=[-_0]*[A-Za-z1-9])[\w-]{1,64}$/

export const deckSerial = z.string().check(z.regex(serialPattern, 'Must be a serial number'))

/** Returns whether a text is a serial number under which settings can be stored. */
export const isDeckSerial = (text: string): boolean => serialPattern.test(text)

/**
 * Returns the serial number that a device reported, without the padding around it. Null if it is not one: empty,
 * `Invalid SN!`, or unreadable bytes. Such a device has no settings.
 */
export function usableSerial(reported: string): string | null {
  const text = reported.replace(/^[\0\s]+|[\0\s\u00ff]+$/g, '')
  return isDeckSerial(text) ? text : null
}
