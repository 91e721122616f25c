import { expect, test } from 'vitest'
import { drawKeyLabel } from './draw-key-label.ts'

/** A canvas that records its lines, in a font whose letters are all equally wide. */
function canvas() {
  const drawn: { line: string; x: number; y: number; size: number; color: unknown }[] = []
  const sizeOf = (font: string) => Number(/([\d.]+)px/.exec(font)?.[1])
  const context = {
    font: '',
    fillStyle: '',
    measureText: (line: string): { width: number } => ({
      width: line.length * sizeOf(context.font) * 0.6,
    }),
    fillText: (line: string, x: number, y: number): void =>
      void drawn.push({ line, x, y, size: sizeOf(context.font), color: context.fillStyle }),
  }
  return { context: context as unknown as CanvasRenderingContext2D, drawn }
}

const key = { left: 100, top: 200, width: 72, height: 72 }

test('the label of a key is drawn within the key and below what stays free', () => {
  const { context, drawn } = canvas()
  expect(drawKeyLabel(context, 'Licht Nord', key, { free: [0.5], color: 'red' })).toBe(0.5)
  expect(drawn.map(({ line, x, color }) => [line, x, color])).toEqual([
    ['Licht', 136, 'red'],
    ['Nord', 136, 'red'],
  ])
  for (const { y, size } of drawn) {
    expect(y - size / 2).toBeGreaterThanOrEqual(236)
    expect(y + size / 2).toBeLessThanOrEqual(272)
  }
})

test('a label that does not fit below its picture takes the next share of the key, and is cut only at the last', () => {
  const long = 'Restart video player hall north left'
  const { context, drawn } = canvas()
  expect(drawKeyLabel(context, long, key, { free: [0.5, 0] })).toBe(0)
  expect(drawn.map(({ line }) => line).join(' ')).toBe(long)

  const small = canvas()
  expect(drawKeyLabel(small.context, long, key, { free: [0.7, 0.6] })).toBe(0.6)
  expect(small.drawn.at(-1)?.line).toMatch(/…$/)
})
