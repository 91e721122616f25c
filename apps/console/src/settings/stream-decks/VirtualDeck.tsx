import { type CSSProperties, useEffect, useRef, useState } from 'react'
import { arrowStop, useArrowKeys } from '#platform/arrow-keys.ts'
import {
  type DeckModel,
  deckSize,
  keyCount,
  keyRect,
  panelSize,
  type Rect,
  screenKeys,
  stripRect,
} from './deck-models.ts'
import { contextOf, drawPanel, type ShownKeys, type Wallpaper } from './deck-picture.ts'
import { texts } from './stream-decks.texts.ts'
import styles from './VirtualDeck.module.css'

interface VirtualDeckProps {
  model: DeckModel
  /** The accessible name. */
  label: string
  /** From 0 to 1. */
  brightness: number
  wallpaper: Wallpaper
  keys: ShownKeys
  /** Returns the description of a key. */
  nameOf: (key: number) => string
  /** The key being edited; null while keys are pressed instead. */
  selected: number | null
  onKey: (key: number) => void
}

/** A deck on screen, drawn like the real one. Its keys respond to mouse, touch and keyboard. */
export function VirtualDeck({
  model,
  label,
  brightness,
  wallpaper,
  keys,
  nameOf,
  selected,
  onKey,
}: VirtualDeckProps) {
  const stops = useArrowKeys<HTMLDivElement>()
  const canvas = useRef<HTMLCanvasElement>(null)
  const width = useWidth(canvas)
  const size = deckSize(model)

  useEffect(() => {
    if (canvas.current === null || width === 0) return
    const scale = (width * devicePixelRatio) / size.width
    paint(canvas.current, drawPanel(model, wallpaper, keys, scale), model, scale)
  }, [model, wallpaper, keys, width, size.width])

  const indices = Array.from({ length: keyCount(model) }, (_, index) => index)
  return (
    <div className={styles.body} style={{ '--light': 0.06 + 0.94 * brightness } as CSSProperties}>
      <div className={styles.face} style={{ aspectRatio: `${size.width} / ${size.height}` }}>
        <canvas ref={canvas} className={styles.picture} aria-hidden="true" />
        <div ref={stops} className={styles.keys} role="group" aria-label={label}>
          {indices.map((index) => (
            <button
              key={index}
              type="button"
              {...arrowStop}
              className={styles.key}
              data-round={index >= screenKeys(model) || undefined}
              style={placeOf(keyRect(model, index), size)}
              aria-label={labelOf(model, index, nameOf(index))}
              aria-pressed={selected === null ? undefined : selected === index}
              onClick={() => onKey(index)}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

function labelOf(model: DeckModel, index: number, what: string): string {
  const firstDial = screenKeys(model) + model.touchKeys
  return index < firstDial ? texts.key(index, what) : texts.dial(index - firstDial, what)
}

const placeOf = (rect: Rect, { width, height }: { width: number; height: number }): CSSProperties => ({
  left: `${(rect.x / width) * 100}%`,
  top: `${(rect.y / height) * 100}%`,
  width: `${(rect.width / width) * 100}%`,
  height: `${(rect.height / height) * 100}%`,
})

/** Paints the part of the panel that keys and screen leave visible. */
function paint(canvas: HTMLCanvasElement, panel: HTMLCanvasElement, model: DeckModel, scale: number): void {
  const size = deckSize(model)
  canvas.width = Math.round(size.width * scale)
  canvas.height = Math.round(size.height * scale)
  const context = contextOf(canvas)
  const windows = new Path2D()
  for (let index = 0; index < screenKeys(model); index += 1)
    addWindow(windows, keyRect(model, index), scale, 0.12)
  const strip = stripRect(model)
  if (strip !== null) addWindow(windows, strip, scale, 0.1)
  context.clip(windows)
  const { width, height } = panelSize(model)
  context.drawImage(panel, 0, 0, width * scale, height * scale)
}

function addWindow(path: Path2D, { x, y, width, height }: Rect, scale: number, radius: number): void {
  path.roundRect(x * scale, y * scale, width * scale, height * scale, height * scale * radius)
}

function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.round(entry?.contentRect.width ?? 0)))
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return width
}
