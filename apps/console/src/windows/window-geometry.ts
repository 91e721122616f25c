/** CSS pixels from the top left corner of the work area, which begins below the header. */
export interface Point {
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

export interface Rect extends Point, Size {}

/** The placement of a window: free, maximised, or filling the left or right half of the work area. */
export type WindowState = 'free' | 'maximised' | 'left' | 'right'

/** The edges that a pointer or key moves: -1 left or top, 1 right or bottom, 0 neither. */
export interface Edges {
  x: -1 | 0 | 1
  y: -1 | 0 | 1
}

export const newSize: Size = { width: 400, height: 200 }
const minSize: Size = { width: 272, height: 128 }

/** The part of a title bar that always stays within reach, after any change of the window or the screen. */
const reach = 120
const titleHeight = 40
/** The gap between two snapped windows. */
const gap = 8
/** Within this distance of an edge of the work area, a pointer snaps to it. */
const snapDistance = 12

const between = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most))

/** Moves the title bar within reach and limits the size to the work area. */
export function reachable({ x, y, width, height }: Rect, area: Size): Rect {
  const fits = {
    width: Math.min(Math.max(width, minSize.width), area.width),
    height: Math.min(Math.max(height, minSize.height), area.height),
  }
  return {
    x: between(x, Math.min(0, reach - fits.width), Math.max(0, area.width - reach)),
    y: between(y, 0, Math.max(0, area.height - titleHeight)),
    ...fits,
  }
}

/** Returns the visible rectangle of a window. */
export function seenRect(free: Rect, state: WindowState, area: Size): Rect {
  const half = Math.floor(area.width / 2)
  switch (state) {
    case 'maximised':
      return { x: 0, y: 0, ...area }
    case 'left':
      return { x: 0, y: 0, width: half, height: area.height }
    case 'right':
      return { x: half, y: 0, width: area.width - half, height: area.height }
    case 'free':
      return reachable(free, area)
  }
}

/** Returns the state of a window released at this point. */
export function stateAt({ x, y }: Point, area: Size): WindowState {
  if (x <= snapDistance) return 'left'
  if (x >= area.width - snapDistance) return 'right'
  return y <= snapDistance ? 'maximised' : 'free'
}

/** Moves some edges of a rectangle. The opposite edges stay, even at the minimum size. */
export function resized(from: Rect, edges: Edges, by: Point, area: Size): Rect {
  const width = between(from.width + edges.x * by.x, minSize.width, area.width)
  const height = between(
    from.height + edges.y * by.y,
    minSize.height,
    // The upper edge stops at the header.
    edges.y === -1 ? from.y + from.height : area.height,
  )
  return {
    x: edges.x === -1 ? from.x + from.width - width : from.x,
    y: edges.y === -1 ? from.y + from.height - height : from.y,
    width,
    height,
  }
}

const isWithin = ({ x, y, width, height }: Rect, area: Size) =>
  x >= 0 && y >= 0 && x + width <= area.width && y + height <= area.height

const overlaps = (one: Rect, other: Rect) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height

/**
 * Returns the initial rectangle of a window: beside the last one if that covers no other window, else near the
 * centre, offset from the previous one.
 *
 * @param shown The visible windows, the topmost last.
 */
export function newRect(size: Size, shown: readonly Rect[], area: Size): Rect {
  const width = Math.min(size.width, area.width)
  const height = Math.min(size.height, area.height)
  const last = shown.at(-1)
  const free =
    last &&
    [
      { x: last.x + last.width + gap, y: last.y },
      { x: last.x - gap - width, y: last.y },
      { x: last.x, y: last.y + last.height + gap },
      { x: last.x, y: last.y - gap - height },
    ]
      .map((at) => ({ ...at, width, height }))
      .find((rect) => isWithin(rect, area) && !shown.some((other) => overlaps(rect, other)))
  if (free !== undefined) return free
  const middle = (area.width - width) / 2 - 64
  // The first window leaves space for a second one.
  const roomForTwo = area.width - 2 * width - gap
  const step = 32 * (shown.length % 8)
  return reachable(
    {
      x: Math.round(roomForTwo >= 0 ? Math.min(middle, roomForTwo) : middle) + step,
      y: Math.round((area.height - height) / 2 - 96) + step,
      width,
      height,
    },
    area,
  )
}

/**
 * Returns the free rectangle of a snapped or maximised window that is dragged by its title bar. The pointer keeps its
 * relative position.
 */
export function pulledOut(seen: Rect, free: Size, at: Point): Rect {
  const share = (at.x - seen.x) / seen.width
  return { x: at.x - share * free.width, y: seen.y, width: free.width, height: free.height }
}
