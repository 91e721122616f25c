import { act } from 'react'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test, vi } from 'vitest'

test('nocodb/nocodb#12345 a day is shown in a browser without a time zone', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const { resolvedOptions } = Intl.DateTimeFormat.prototype
  vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockImplementation(function (
    this: Intl.DateTimeFormat,
  ) {
    return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' }
  })
  const { DateControl } = await import('./Calendars.tsx')
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  onTestFinished(async () => {
    await act(async () => root.unmount())
    place.remove()
    vi.restoreAllMocks()
    vi.unstubAllGlobals()
  })
  await act(async () => root.render(<DateControl label="Day" value="2026-11-29" onChange={() => {}} />))
  const parts = [...place.querySelectorAll('[role=spinbutton]')].map((part) => part.textContent)
  expect(parts.toSorted()).toEqual(['11', '2026', '29'])
})

test.each([
  ['en', ['29', '11', '2026']],
  ['de-DE', ['29', '11', '2026']],
  ['en-US', ['11', '29', '2026']],
])('BirdNET-PiPy#49 a day in %s has the order of its other dates', async (locale, order) => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const [{ DateControl }, { UiProvider }] = await Promise.all([
    import('./Calendars.tsx'),
    import('../provider/UiProvider.tsx'),
  ])
  const place = document.body.appendChild(document.createElement('div'))
  const root = createRoot(place)
  onTestFinished(async () => {
    await act(async () => root.unmount())
    place.remove()
    vi.unstubAllGlobals()
  })
  const day = <DateControl label="Day" value="2026-11-29" onChange={() => {}} />
  await act(async () => root.render(<UiProvider locale={locale}>{day}</UiProvider>))
  const parts = [...place.querySelectorAll('[role=spinbutton]')].map((part) => part.textContent)
  expect(parts).toEqual(order)
})
