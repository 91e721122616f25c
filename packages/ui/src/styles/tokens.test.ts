import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contrastRatio } from '../color/contrast.ts'
import { deficiencies, distance } from './color-distance.ts'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const tokens = new Map(
  [...css.matchAll(/--color-([\w-]+): light-dark\((#\w+), (#\w+)\);/g)].map(([, name, light, dark]) => [
    name,
    { light, dark },
  ]),
)

const grounds = ['canvas', 'surface', 'surface-raised', 'surface-sunken']
const pairs: [text: string, ground: string, least: number][] = [
  ...grounds.flatMap((ground): [string, string, number][] => [
    ['text', ground, 7],
    ['text-muted', ground, 4.5],
    ['accent-text', ground, 4.5],
    ['danger-text', ground, 4.5],
    ['warning-text', ground, 4.5],
    ['success-text', ground, 4.5],
    ['info-text', ground, 4.5],
    // Disabled text is exempt (WCAG 1.4.3), yet it must stay readable.
    ['text-disabled', ground, 3],
    // Outlines of controls, and the focus ring (WCAG 1.4.11).
    ['border-strong', ground, 3],
    ['focus', ground, 3],
  ]),
  ...['hover', 'pressed'].flatMap((ground): [string, string, number][] => [
    ['text', ground, 4.5],
    ['text-muted', ground, 4.5],
  ]),
  ['danger-text', 'hover', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-hover', 4.5],
  ['on-accent', 'accent-pressed', 4.5],
  ['on-accent-soft', 'accent-soft', 4.5],
  ['text', 'accent-soft', 4.5],
  ['text-muted', 'accent-soft', 4.5],
  ['accent', 'surface', 3],
  ['accent', 'canvas', 3],
  ['on-danger', 'danger', 4.5],
  ['on-danger', 'danger-hover', 4.5],
  ['on-danger', 'danger-pressed', 4.5],
  ...['danger', 'warning', 'success', 'info'].flatMap((tone): [string, string, number][] => [
    [`${tone}-text`, `${tone}-soft`, 4.5],
    ['text', `${tone}-soft`, 4.5],
  ]),
  ['danger-text', 'danger-soft-hover', 4.5],
  ['on-inverse', 'inverse', 4.5],
  ['on-brand', 'brand', 4.5],
  ['brand-desk', 'brand', 3],
]

describe.each(['light', 'dark'] as const)('colour tokens, %s', (theme) => {
  test.each(pairs)(`--color-%s on --color-%s reaches %d:1`, (text, ground, least) => {
    const [front, back] = [tokens.get(text)?.[theme], tokens.get(ground)?.[theme]]
    if (!front || !back) throw new Error(`tokens.css does not define ${text} or ${ground}`)
    expect(contrastRatio(front, back)).toBeGreaterThanOrEqual(least)
  })
})

test('every text token is checked against a background', () => {
  const checked = new Set(pairs.map(([text]) => text))
  const texts = [...tokens.keys()].filter((name) => /(^|-)text(-|$)|^on-/.test(name ?? ''))
  expect(texts.filter((name) => name && !checked.has(name))).toEqual([])
})

const deskCss = readFileSync(new URL('./desk.css', import.meta.url), 'utf8')
const pair = (name: string) => {
  const [, light, dark] =
    new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\);`).exec(css + deskCss) ?? []
  if (light === undefined || dark === undefined) throw new Error(`No token --${name}`)
  return { light, dark }
}
const tints = [...deskCss.matchAll(/data-tint='(\w+)'\] \{\s+--tint: (.+);\s+--on-tint: (.+);/g)].map(
  ([, name = '', ground = '', sign = '']) => ({ name, ground, sign }),
)
const colorOf = (value: string, theme: 'light' | 'dark') =>
  value.match(/#\w{6}/g)?.[theme === 'light' ? 0 : 1] ?? ''
const states = ['ok', 'warning', 'danger', 'info', 'idle']
const series = [1, 2, 3, 4, 5]

/** Minimum contrast of a series on a card and on the canvas. */
const seriesContrast = { light: 3.2, dark: 4.9 }

describe.each(['light', 'dark'] as const)('desk tokens, %s', (theme) => {
  test.each(states)('the state colour %s reaches 3.3:1 on every ground', (state) => {
    for (const ground of ['color-surface', 'color-canvas', 'color-surface-sunken']) {
      expect(
        contrastRatio(pair(`status-${state}`)[theme], pair(ground)[theme]),
        ground,
      ).toBeGreaterThanOrEqual(3.3)
    }
  })

  test.each(['danger', 'warning'])('text and state colour are readable on the band of %s', (state) => {
    const band = pair(`status-${state}-band`)[theme]
    expect(contrastRatio(pair('color-text')[theme], band)).toBeGreaterThanOrEqual(7)
    expect(contrastRatio(pair(`color-${state}-text`)[theme], band)).toBeGreaterThanOrEqual(4.5)
    expect(contrastRatio(pair(`status-${state}`)[theme], band)).toBeGreaterThanOrEqual(3)
  })

  test.each(series)('the series colour %d reaches its contrast on card and canvas', (number) => {
    for (const ground of ['color-surface', 'color-canvas']) {
      expect(contrastRatio(pair(`chart-${number}`)[theme], pair(ground)[theme])).toBeGreaterThanOrEqual(
        seriesContrast[theme],
      )
    }
  })

  test.each(['none', ...deficiencies])(
    'the series colours differ by 10 in OKLab, colour blindness: %s',
    (sight) => {
      for (const [index, number] of series.entries()) {
        for (const other of series.slice(index + 1)) {
          const [one, two] = [pair(`chart-${number}`)[theme], pair(`chart-${other}`)[theme]]
          expect(distance(one, two, sight), `${number} and ${other}`).toBeGreaterThanOrEqual(10)
        }
      }
    },
  )

  test('the sign on each of nine tints reaches a contrast of 6:1', () => {
    expect(tints).toHaveLength(9)
    for (const { name, ground, sign } of tints) {
      expect(contrastRatio(colorOf(sign, theme), colorOf(ground, theme)), name).toBeGreaterThanOrEqual(6)
    }
  })
})
