import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test } from 'vitest'
import { Chart, type ChartProps } from './Chart.tsx'
import { Sparkline } from './Sparkline.tsx'

afterEach(() => {
  document.documentElement.style.fontSize = ''
})

const minutes = [0, 1, 2].map((minute) => Date.UTC(2026, 10, 24, 12, minute))

function draw(values: number[], more: Partial<ChartProps> = {}) {
  const place = document.createElement('div')
  place.innerHTML = renderToStaticMarkup(
    <Chart
      label="Load"
      timeLabel="Time"
      times={minutes}
      series={[{ label: 'Load', values, color: 1 }]}
      format={(value) => `${value} %`}
      {...more}
    />,
  )
  const texts = [...place.querySelectorAll('text')]
  const ticksOf = (anchor: string) => texts.filter((tick) => tick.getAttribute('text-anchor') === anchor)
  return {
    values: ticksOf('end').map((tick) => tick.textContent),
    times: ticksOf('middle').map((tick) => tick.textContent),
    left: Number(ticksOf('end')[0]?.getAttribute('x')),
    heights: heightsIn(place),
  }
}

/** Returns the vertical positions of the longest line. */
function heightsIn(place: Element): number[] {
  const paths = [...place.querySelectorAll('path')].map((path) => path.getAttribute('d') ?? '')
  const line = paths.find((path) => /^M[^HVhZ]*L[^HVhZ]*$/.test(path)) ?? ''
  return [...line.matchAll(/[ML][\d.-]+ ([\d.-]+)/g)].map(([, height]) => Number(height))
}

test('measure-sh/measure#932 a load of more than 100 % lies within the axis', () => {
  const { values, heights } = draw([40, 250, 40], { min: 0, max: 100 })
  expect(values).toEqual(['0 %', '100 %', '200 %'])
  expect(heights).toHaveLength(3)
  expect(Math.min(...heights)).toBe(8)
  expect(draw([40, 60, 40], { min: 0, max: 100 }).values).toEqual(['0 %', '25 %', '50 %', '75 %', '100 %'])
})

test('tariqbuilds/linux-dash#325 a value above the bound of a sparkline stays in its picture', () => {
  const place = document.createElement('div')
  place.innerHTML = renderToStaticMarkup(<Sparkline values={[8, 180, 8]} min={0} max={100} />)
  const heights = heightsIn(place)
  expect(heights).toHaveLength(3)
  expect(Math.min(...heights)).toBeGreaterThanOrEqual(0)
})

test('an axis of whole things has only whole numbers', () => {
  const format = String
  expect(draw([0, 2, 1], { format }).values).toEqual(['0', '0.5', '1', '1.5', '2'])
  expect(draw([0, 2, 1], { format, whole: true }).values).toEqual(['0', '1', '2'])
})

test('the ticks of several days are days without a time', () => {
  const times = [new Date(2026, 9, 22).getTime(), new Date(2026, 9, 29).getTime()]
  expect(draw([1, 2], { times }).times).toEqual([
    '22.10.',
    '23.10.',
    '24.10.',
    '25.10.',
    '26.10.',
    '27.10.',
    '28.10.',
  ])
})

test('guardian/frontend#6850 the axis leaves room for larger and for longer labels', () => {
  const { left } = draw([1, 2, 3])
  document.documentElement.style.fontSize = '20px'
  expect(draw([1, 2, 3]).left + 8).toBe((left + 8) * 1.25)
  document.documentElement.style.fontSize = ''
  expect(draw([1, 2, 3], { format: (value) => `${value}.000.000 rpm` }).left).toBeGreaterThan(left + 40)
})
