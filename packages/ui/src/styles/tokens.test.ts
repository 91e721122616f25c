import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { contrastRatio } from '../color/contrast.ts'

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

test('every text token is checked against a ground', () => {
  const checked = new Set(pairs.map(([text]) => text))
  const texts = [...tokens.keys()].filter((name) => /(^|-)text(-|$)|^on-/.test(name ?? ''))
  expect(texts.filter((name) => name && !checked.has(name))).toEqual([])
})
