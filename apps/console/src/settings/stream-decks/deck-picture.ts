import type { DeckIcon } from '@pult/contract'
import { fitText } from '@pult/sdk/host'
import { iconPath } from './deck-icons.ts'
import { type DeckModel, keyRect, panelSize, type Rect, screenKeys } from './deck-models.ts'
import { drawKeyTexts, ink, type KeyState, tones } from './key-texts.ts'

/** The picture and text that cover the whole deck. */
export interface Wallpaper {
  image: ImageBitmap | null
  text: string
}

/** The visible content of one key. */
export interface ShownKey {
  label: string
  icon: DeckIcon | null
  /** Progress of a task from 0 to 1; null while it is unknown. */
  progress?: number | null
  /** Below the label. */
  state?: KeyState
}

/** Keys by their index. */
export type ShownKeys = ReadonlyMap<number, ShownKey>

/** Of the text over the whole deck. */
const font = (size: number) => `700 ${size}px "Inter Variable", system-ui, sans-serif`

/**
 * Draws the picture of a whole deck including the bezels. The keys show only their parts, so that together they show
 * one picture.
 *
 * @param scale pixels of the picture for one pixel of the deck
 */
export function drawPanel(
  model: DeckModel,
  wallpaper: Wallpaper,
  keys: ShownKeys,
  scale = 1,
): HTMLCanvasElement {
  const size = panelSize(model)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(size.width * scale))
  canvas.height = Math.max(1, Math.round(size.height * scale))
  const context = contextOf(canvas)
  context.scale(scale, scale)
  drawGround(context, size)
  if (wallpaper.image !== null) drawCovering(context, wallpaper.image, size)
  if (wallpaper.text.trim() !== '') drawText(context, wallpaper.text.trim(), model, keys)
  for (let index = 0; index < screenKeys(model); index += 1) {
    const shown = keys.get(index)
    if (shown !== undefined) drawKey(context, keyRect(model, index), shown)
  }
  return canvas
}

export function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (context === null) throw new Error('This browser does not support 2D canvases')
  return context
}

interface Size {
  width: number
  height: number
}

/** Default background: the brand's petrol, dark enough for any text on it. */
function drawGround(context: CanvasRenderingContext2D, { width, height }: Size): void {
  const ground = context.createLinearGradient(0, 0, width, height)
  ground.addColorStop(0, '#0d4a53')
  ground.addColorStop(1, '#0b1a20')
  context.fillStyle = ground
  context.fillRect(0, 0, width, height)
}

/** Scales the picture to cover the area, centred. */
function drawCovering(context: CanvasRenderingContext2D, image: ImageBitmap, { width, height }: Size): void {
  const scale = Math.max(width / image.width, height / image.height)
  const [w, h] = [image.width * scale, image.height * scale]
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, (width - w) / 2, (height - h) / 2, w, h)
}

/**
 * Draws the text on the keys only, because bezels would hide parts of it. Each line gets a row of keys or a part of
 * one, in the largest letters that fit. The letters are light on dark or dark on light, with an outline of the
 * opposite.
 */
function drawText(context: CanvasRenderingContext2D, text: string, model: DeckModel, keys: ShownKeys): void {
  const { columns, rows, key } = model
  const flat = document.createElement('canvas')
  // At the resolution of the picture below it.
  const scale = context.getTransform().a
  ;[flat.width, flat.height] = [Math.ceil(columns * key * scale), Math.ceil(rows * key * scale)]
  const letters = contextOf(flat)
  letters.scale(scale, scale)
  const { lines, size } = fitText(text, {
    width: columns * key * 0.96,
    largest: key * 0.8,
    smallest: 6,
    // Each row of keys has one line, or several in smaller letters.
    linesAt: (fontSize) => rows * Math.max(1, Math.floor(key / (fontSize * 1.2))),
    widthOf(line, fontSize) {
      letters.font = font(fontSize)
      return letters.measureText(line).width
    },
  })
  const isDark = brightnessOf(context) < 0.45
  letters.font = font(size)
  letters.textAlign = 'center'
  letters.textBaseline = 'middle'
  letters.lineJoin = 'round'
  letters.lineWidth = Math.max(2, size * 0.12)
  letters.strokeStyle = isDark ? 'rgb(5 14 18 / 70%)' : 'rgb(255 255 255 / 80%)'
  letters.fillStyle = isDark ? ink : '#0b1a20'
  const perRow = Math.ceil(lines.length / rows)
  const used = Math.ceil(lines.length / perRow)
  const first = Math.floor((rows - used) / 2)
  lines.forEach((line, index) => {
    const row = first + Math.floor(index / perRow)
    const y = (row + ((index % perRow) + 0.5) / perRow) * key
    letters.strokeText(line, (columns * key) / 2, y)
    letters.fillText(line, (columns * key) / 2, y)
  })
  for (let index = 0; index < screenKeys(model); index += 1) {
    // A key's own content covers the wallpaper.
    if (keys.has(index)) continue
    const { x, y, width, height } = keyRect(model, index)
    const [left, top] = [(index % columns) * key * scale, Math.floor(index / columns) * key * scale]
    context.drawImage(flat, left, top, key * scale, key * scale, x, y, width, height)
  }
}

/** Returns the mean luminance of the picture from 0 to 1, with perceptual weights. */
function brightnessOf(context: CanvasRenderingContext2D): number {
  const small = document.createElement('canvas')
  ;[small.width, small.height] = [16, 16]
  const target = contextOf(small)
  target.drawImage(context.canvas, 0, 0, 16, 16)
  const { data } = target.getImageData(0, 0, 16, 16)
  let sum = 0
  for (let at = 0; at < data.length; at += 4) {
    sum += 0.2126 * (data[at] ?? 0) + 0.7152 * (data[at + 1] ?? 0) + 0.0722 * (data[at + 2] ?? 0)
  }
  return sum / (16 * 16 * 255)
}

function drawKey(context: CanvasRenderingContext2D, { x, y, width: size }: Rect, shown: ShownKey): void {
  const { label, icon, state } = shown
  context.save()
  context.beginPath()
  context.rect(x, y, size, size)
  context.clip()
  // White text on it is readable on any background.
  context.fillStyle = 'rgb(6 12 16 / 64%)'
  context.fillRect(x, y, size, size)

  const place = { left: x, top: y, width: size, height: size }
  const share = drawKeyTexts(context, { label, state, hasIcon: icon !== null }, place)
  if (icon !== null) {
    const isAlone = share === 1
    const edge = size * (isAlone ? 0.52 : share * 0.72)
    context.save()
    context.translate(x + (size - edge) / 2, y + (isAlone ? (size - edge) / 2 : size * share * 0.24))
    context.scale(edge / 24, edge / 24)
    context.lineWidth = 2
    context.lineCap = 'round'
    context.lineJoin = 'round'
    context.strokeStyle = state === undefined ? ink : tones[state.tone]
    context.stroke(iconPath(icon))
    context.restore()
  }
  if (shown.progress !== undefined) {
    const bar = size * 0.07
    context.fillStyle = 'rgb(255 255 255 / 22%)'
    context.fillRect(x, y + size - bar, size, bar)
    context.fillStyle = tones.running
    context.fillRect(x, y + size - bar, size * (shown.progress ?? 0.08), bar)
  }
  context.restore()
}
