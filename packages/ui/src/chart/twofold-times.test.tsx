import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Chart } from './Chart.tsx'

let zone: string | undefined
beforeEach(() => {
  zone = process.env['TZ']
  process.env['TZ'] = 'Europe/Berlin'
})
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

test('datalust/seq-tickets#902 the figures of a time that occurs twice have its offset', () => {
  const times = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', '2026-10-25T02:30:00Z'].map(Date.parse)
  const chart = (cursor: number | undefined) => {
    const place = document.createElement('div')
    place.innerHTML = renderToStaticMarkup(
      <Chart
        label="Load"
        timeLabel="Time"
        times={times}
        series={[{ label: 'Load', values: [1, 2, 3], color: 1 }]}
        format={String}
        cursor={cursor}
      />,
    )
    return place
  }
  const rows = [...chart(undefined).querySelectorAll('tbody th')].map((cell) => cell.textContent)
  expect(rows).toEqual(['02:30 GMT+2', '02:30 GMT+1', '03:30'])
  expect(chart(times[1]).querySelector('[role=slider]')?.getAttribute('aria-valuetext')).toBe(
    '02:30 GMT+1: Load 2',
  )
})
