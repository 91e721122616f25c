import { afterEach, expect, test, vi } from 'vitest'
import { ownTimeZone, timeZones } from './time-zones.ts'

afterEach(() => vi.restoreAllMocks())

test.each([
  ['a browser without UTC', ['Africa/Abidjan', 'Europe/Berlin'], ['UTC', 'Africa/Abidjan', 'Europe/Berlin']],
  ['a browser with UTC', ['Europe/Berlin', 'UTC'], ['UTC', 'Europe/Berlin']],
])('tc39/ecma402#778 UTC is the first time zone of %s', (_browser, listed, zones) => {
  vi.spyOn(Intl, 'supportedValuesOf').mockReturnValue(listed)
  expect(timeZones()).toEqual(zones)
})

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['Etc/Unknown', 'UTC'],
  ['Mars/Olympus', 'UTC'],
])('oxidecomputer/console#1875 in a browser with the time zone %s it is %s', (timeZone, own) => {
  const options = { ...Intl.DateTimeFormat().resolvedOptions(), timeZone }
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(options)
  expect(ownTimeZone()).toBe(own)
})
