import type { FoundThing } from '@pult/sdk'
import type { StatusShapeProps } from '@pult/ui'
import type { NavigationState } from '#platform/navigation-states.ts'

/*
 * Results of extensions are checked before the console shows them: a part of the frame that rendered an unexpected value
 * would fail with all of the page.
 */

/** Results of one provider that the palette uses. */
const foundMost = 8

/** Returns the first results of a search provider. Throws if the console cannot show them. */
export function usableThings(result: unknown): readonly FoundThing[] {
  if (!Array.isArray(result)) throw new TypeError('A search provider returns a list')
  return result.slice(0, foundMost).map((thing: unknown) => {
    if (!isRecord(thing) || !areTexts(thing['id'], thing['label'], thing['path']))
      throw new TypeError('A result needs the texts id, label and path')
    if (!areTextsOrAbsent(thing['detail'], thing['icon']))
      throw new TypeError('The detail and icon of a result are texts')
    return thing as unknown as FoundThing
  })
}

const statuses: Record<StatusShapeProps['status'], true> = {
  ok: true,
  warning: true,
  danger: true,
  failed: true,
  info: true,
  paused: true,
  stopped: true,
}

/** Returns the state of a navigation entry. Throws if the console cannot show it. */
export function usableState(result: unknown): NavigationState {
  if (!isRecord(result) || !areTexts(result['label']))
    throw new TypeError('A navigation entry needs the text label')
  const { count, status } = result
  if (count !== undefined && !Number.isFinite(count)) throw new TypeError('The count is a number')
  if (status !== undefined && !(typeof status === 'string' && Object.hasOwn(statuses, status)))
    throw new TypeError('Unknown status of a navigation entry')
  return result as unknown as NavigationState
}

/** Returns the text of an empty card, or null. Throws if it is no text. */
export function usableText(result: unknown): string | null {
  if (result === undefined || result === null) return null
  if (typeof result !== 'string') throw new TypeError('The text of an empty card is no text')
  return result
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const areTexts = (...values: unknown[]) => values.every((value) => typeof value === 'string')
const areTextsOrAbsent = (...values: unknown[]) =>
  values.every((value) => value === undefined || typeof value === 'string')
