import { expect, test, vi } from 'vitest'

// The UI kit watches the document.
vi.stubGlobal('MutationObserver', EventTarget)
const { drawKeyTexts, ink, tones } = await import('./key-texts.ts')
vi.unstubAllGlobals()

/** Draws on a canvas whose letters are all equally wide. Returns the lines with their top and bottom. */
function drawn(texts: Parameters<typeof drawKeyTexts>[1]) {
  const lines: { line: string; color: unknown; top: number; bottom: number }[] = []
  const sizeOf = (font: string) => Number(/([\d.]+)px/.exec(font)?.[1])
  const context = {
    font: '',
    fillStyle: '',
    measureText: (line: string): { width: number } => ({ width: line.length * sizeOf(context.font) * 0.6 }),
    fillText(line: string, _x: number, y: number): void {
      const half = sizeOf(context.font) / 2
      lines.push({ line, color: context.fillStyle, top: y - half, bottom: y + half })
    },
  }
  const place = { left: 0, top: 100, width: 72, height: 72 }
  const free = drawKeyTexts(context as unknown as CanvasRenderingContext2D, texts, place)
  return { lines, free, texts: lines.map(({ line, color }) => [line, color]) }
}

const online = { text: 'Online', tone: 'good' } as const

test('Macro-Deck#574 a key with a state shows its label above the state, and its icon above both', () => {
  for (const hasIcon of [true, false]) {
    const { lines, free, texts } = drawn({ label: 'Kran 2', state: online, hasIcon })
    expect(texts).toEqual([
      ['Online', tones.good],
      ['Kran 2', ink],
    ])
    const [state, label] = lines
    expect(label?.top).toBeGreaterThanOrEqual(100 + 72 * free)
    expect(label?.bottom).toBeLessThanOrEqual(state?.top ?? 0)
    expect(state?.bottom).toBeLessThanOrEqual(172)
    expect(free).toBeCloseTo(hasIcon ? 0.42 : 0.05)
  }
  const long = drawn({ label: 'Player of the hall North', state: online, hasIcon: true })
  expect(long.free).toBeCloseTo(0.28)
})

test('a key with only a label, only a state or nothing has the whole place for it', () => {
  expect(drawn({ label: 'Kran 2', state: undefined, hasIcon: false }).texts).toEqual([['Kran 2', ink]])
  expect(drawn({ label: '', state: online, hasIcon: false }).texts).toEqual([['Online', tones.good]])
  expect(drawn({ label: '', state: undefined, hasIcon: true })).toMatchObject({ lines: [], free: 1 })
})
