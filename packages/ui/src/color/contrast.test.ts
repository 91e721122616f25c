import { describe, expect, test } from 'vitest'
import { contrastRatio, contrastText } from './contrast.ts'

describe('DEC-34 text on the console colour', () => {
  test.each([
    ['#444', '#ffffff'],
    ['#444444', '#ffffff'],
    ['#000', '#ffffff'],
    ['#fff', '#000000'],
    ['#FFEE00', '#000000'],
    ['#0b7884', '#ffffff'],
    ['#c4500a', '#ffffff'],
    ['#ff8800', '#000000'],
  ])('DEC-34 on %s the text is %s', (color, text) => {
    expect(contrastText(color)).toBe(text)
  })

  test('DEC-34 the chosen text reaches 4.5:1 on every colour of a coarse cube', () => {
    const steps = [0, 51, 102, 117, 118, 119, 153, 204, 255]
    const hex = (value: number) => value.toString(16).padStart(2, '0')
    for (const r of steps)
      for (const g of steps)
        for (const b of steps) {
          const color = `#${hex(r)}${hex(g)}${hex(b)}`
          expect(contrastRatio(color, contrastText(color)), color).toBeGreaterThanOrEqual(4.5)
        }
  })

  test.each(['', 'red', '#12', '#12345', '#12345678', '#ggg', 'url(x)', '1px solid #ffffff', '#ffffff;'])(
    'DEC-34 %j is not a colour and counts as the default',
    (color) => {
      expect(contrastRatio(color, '#fff')).toBeUndefined()
      expect(contrastText(color)).toBe(contrastText('#444'))
    },
  )
})

test('contrastRatio agrees with the published examples', () => {
  expect(contrastRatio('#000', '#fff')).toBeCloseTo(21, 5)
  expect(contrastRatio('#777', '#fff')).toBeCloseTo(4.48, 2)
  expect(contrastRatio('#fff', '#777')).toBeCloseTo(4.48, 2)
})
