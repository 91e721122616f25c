import type { FoundThing } from '@pult/sdk'
import type { StatusShapeProps } from '@pult/ui'
import type { NavigationState } from '#platform/navigation-states.ts'

/*
 * Validates results of extensions before the console shows them. An unexpected value in the frame would break the whole
 * page.
 */

/** Maximum number of results that the palette uses from one provider. */
const maxResults = 8

/** Returns the first results of a search provider. Throws if the console cannot show them. */
export function usableThings(result: unknown): readonly FoundThing[] {
  if (!Array.isArray(result)) throw new TypeError('A search provider must return an array')
  return result.slice(0, maxResults).map((thing: unknown) => {
    if (!isRecord(thing) || !areTexts(thing['id'], thing['label'], thing['path']))
      throw new TypeError('A result must have the strings id, label and path')
    if (!areTextsOrAbsent(thing['detail'], thing['icon']))
      throw new TypeError('The detail and icon of a result must be strings')
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
    throw new TypeError('A navigation entry must have the string label')
  const { count, status } = result
  if (count !== undefined && !Number.isFinite(count))
    throw new TypeError('The count of a navigation entry must be a number')
  if (status !== undefined && !(typeof status === 'string' && Object.hasOwn(statuses, status)))
    throw new TypeError('Unknown status of a navigation entry')
  return result as unknown as NavigationState
}

/** Returns the text of an empty card, or null. Throws if it is not a string. */
export function usableText(result: unknown): string | null {
  if (result === undefined || result === null) return null
  if (typeof result !== 'string') throw new TypeError('The text of an empty card must be a string')
  return result
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null
const areTexts = (...values: unknown[]) => values.every((value) => typeof value === 'string')
const areTextsOrAbsent = (...values: unknown[]) =>
  values.every((value) => value === undefined || typeof value === 'string')
