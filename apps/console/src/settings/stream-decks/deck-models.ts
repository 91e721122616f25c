/**
 * The visible surface of a Stream Deck. Lengths are pixels of its keys, so that a picture of it matches its keys'
 * content.
 */
export interface DeckModel {
  id: string
  name: string
  columns: number
  rows: number
  /** Width and height of a key. */
  key: number
  /** The gap between two keys, hidden by the bezels. */
  gapX: number
  gapY: number
  /** The screen below the keys, in its own pixels. */
  strip: { width: number; height: number } | null
  /** Keys beside that screen, which show only a colour. */
  touchKeys: number
  /** Dials, which can be pressed like keys. */
  dials: number
}

export interface Rect {
  x: number
  y: number
  width: number
  height: number
}

const plain = { strip: null, touchKeys: 0, dials: 0 }

/** The supported models. The first one is the default of the picture. */
export const deckModels: readonly DeckModel[] = [
  { ...plain, id: 'mk2', name: 'Stream Deck MK.2', columns: 5, rows: 3, key: 72, gapX: 25, gapY: 25 },
  { ...plain, id: 'mini', name: 'Stream Deck Mini', columns: 3, rows: 2, key: 80, gapX: 28, gapY: 28 },
  { ...plain, id: 'xl', name: 'Stream Deck XL', columns: 8, rows: 4, key: 96, gapX: 32, gapY: 39 },
  {
    id: 'neo',
    name: 'Stream Deck Neo',
    columns: 4,
    rows: 2,
    key: 96,
    gapX: 30,
    gapY: 30,
    strip: { width: 248, height: 58 },
    touchKeys: 2,
    dials: 0,
  },
  {
    id: 'plus',
    name: 'Stream Deck +',
    columns: 4,
    rows: 2,
    key: 120,
    gapX: 99,
    gapY: 40,
    strip: { width: 800, height: 100 },
    touchKeys: 0,
    dials: 4,
  },
]

const [usual] = deckModels as [DeckModel, ...DeckModel[]]

export const findModel = (id: string | undefined): DeckModel =>
  deckModels.find((model) => model.id === id) ?? usual

export const screenKeys = ({ columns, rows }: DeckModel): number => columns * rows

/** Number of everything that can be pressed. */
export const keyCount = (model: DeckModel): number => screenKeys(model) + model.touchKeys + model.dials

/** The area of the keys with screens. */
function gridSize({ columns, rows, key, gapX, gapY }: DeckModel): { width: number; height: number } {
  return { width: columns * (key + gapX) - gapX, height: rows * (key + gapY) - gapY }
}

/** The area that one picture covers: the keys, the bezels between them, and the screen below. */
export function panelSize(model: DeckModel): { width: number; height: number } {
  const strip = stripRect(model)
  const { width, height } = gridSize(model)
  return { width, height: strip === null ? height : strip.y + strip.height }
}

/** The position of the screen below the keys. A screen wider than the keys is shown as wide as they are. */
export function stripRect(model: DeckModel): Rect | null {
  if (model.strip === null) return null
  const grid = gridSize(model)
  const width = Math.min(model.strip.width, grid.width)
  const height = Math.round((model.strip.height * width) / model.strip.width)
  return { x: Math.round((grid.width - width) / 2), y: grid.height + model.gapY, width, height }
}

/** The position of a key in the panel, counted row by row. Dials are below it. */
export function keyRect(model: DeckModel, index: number): Rect {
  const { columns, key, gapX, gapY } = model
  const screens = screenKeys(model)
  if (index < screens) {
    return {
      x: (index % columns) * (key + gapX),
      y: Math.floor(index / columns) * (key + gapY),
      width: key,
      height: key,
    }
  }
  const { width } = gridSize(model)
  const strip = stripRect(model)
  const beside = index - screens
  if (beside < model.touchKeys && strip !== null) {
    const room = strip.x
    const size = Math.round(strip.height * 0.62)
    const left = beside === 0 ? (room - size) / 2 : width - (room + size) / 2
    return {
      x: Math.round(left),
      y: strip.y + Math.round((strip.height - size) / 2),
      width: size,
      height: size,
    }
  }
  const dial = beside - model.touchKeys
  const room = width / model.dials
  const size = Math.round(key * 0.72)
  return {
    x: Math.round(room * dial + (room - size) / 2),
    y: panelSize(model).height + gapY,
    width: size,
    height: size,
  }
}

/** The size of the panel and the controls below it. */
export function deckSize(model: DeckModel): { width: number; height: number } {
  const panel = panelSize(model)
  if (model.dials === 0) return panel
  const last = keyRect(model, keyCount(model) - 1)
  return { width: panel.width, height: last.y + last.height }
}

/** A control as the device library describes it. */
interface DeviceControl {
  type: string
  row: number
  column: number
  feedbackType?: string
  pixelSize?: { width: number; height: number }
}

const modelOfDevice: Record<string, string> = {
  mini: 'mini',
  '6-module': 'mini',
  original: 'mk2',
  originalv2: 'mk2',
  'original-mk2': 'mk2',
  'original-mk2-scissor': 'mk2',
  '15-module': 'mk2',
  xl: 'xl',
  '32-module': 'xl',
  neo: 'neo',
  plus: 'plus',
}

/** Returns the model of a device. An unknown device gets a model from its keys. */
export function modelOf(
  { id, name }: { id: string; name: string },
  controls: readonly DeviceControl[],
): DeckModel {
  const known = deckModels.find((model) => model.id === modelOfDevice[id])
  if (known !== undefined) return { ...known, name }
  const screens = controls.filter(({ feedbackType }) => feedbackType === 'lcd')
  return {
    ...plain,
    id,
    name,
    columns: Math.max(0, ...screens.map(({ column }) => column + 1)),
    rows: Math.max(0, ...screens.map(({ row }) => row + 1)),
    key: screens[0]?.pixelSize?.width ?? usual.key,
    gapX: usual.gapX,
    gapY: usual.gapY,
    dials: controls.filter(({ type }) => type === 'encoder').length,
  }
}
