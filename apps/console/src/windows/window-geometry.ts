/** Pixels of CSS, from the top left corner of the work area, which begins below the header. */
export interface Point {
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

export interface Rect extends Point, Size {}

/** How a window stands: free, or filling the work area or a half of it. */
export type WindowState = 'free' | 'maximised' | 'left' | 'right'

/** Which edges a pointer or a key moves: -1 the left or the upper one, 1 the right or the lower one, 0 neither. */
export interface Edges {
  x: -1 | 0 | 1
  y: -1 | 0 | 1
}

export const newSize: Size = { width: 400, height: 200 }
export const leastSize: Size = { width: 272, height: 128 }

/** How much of a title bar stays within reach, whatever happens to the window or the screen. */
const reach = 120
const titleHeight = 40
/** So near to an edge of the work area a pointer means the edge. */
const snapDistance = 12

const between = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most))

/** The rectangle with its title bar within reach and no larger than the work area. */
export function reachable({ x, y, width, height }: Rect, area: Size): Rect {
  const fits = {
    width: Math.min(Math.max(width, leastSize.width), area.width),
    height: Math.min(Math.max(height, leastSize.height), area.height),
  }
  return {
    x: between(x, Math.min(0, reach - fits.width), Math.max(0, area.width - reach)),
    y: between(y, 0, Math.max(0, area.height - titleHeight)),
    ...fits,
  }
}

/** Where a window is seen. */
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

/** What letting go of a window at this point makes of it. */
export function stateAt({ x, y }: Point, area: Size): WindowState {
  if (x <= snapDistance) return 'left'
  if (x >= area.width - snapDistance) return 'right'
  return y <= snapDistance ? 'maximised' : 'free'
}

/** The rectangle with some of its edges moved. The opposite ones stay, also where it cannot become smaller. */
export function resized(from: Rect, edges: Edges, by: Point, area: Size): Rect {
  const width = between(from.width + edges.x * by.x, leastSize.width, area.width)
  const height = between(
    from.height + edges.y * by.y,
    leastSize.height,
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

/** Where the n-th window appears that nobody has moved yet: near the middle, each a little beside the one before. */
export function newRect(index: number, area: Size): Rect {
  const step = 32 * (index % 8)
  return reachable(
    {
      x: Math.round((area.width - newSize.width) / 2 - 64 + step),
      y: Math.round((area.height - newSize.height) / 2 - 96 + step),
      ...newSize,
    },
    area,
  )
}

/** What drags a window by its title out of a half or the whole: its free size, held at the same share of its width. */
export function pulledOut(seen: Rect, free: Size, at: Point): Rect {
  const share = (at.x - seen.x) / seen.width
  return { x: at.x - share * free.width, y: seen.y, width: free.width, height: free.height }
}
