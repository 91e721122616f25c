import type { Point } from './window-geometry.ts'

/**
 * Shows an element away from where it stands, until the end. An animation that stands still does it, and not the style:
 * what is animated may lie anywhere, so Chromium moves its layer and is done. After a change of the style it puts the
 * layers of the whole page together again, in each frame and for every window that is open.
 */
export function carry(element: HTMLElement): { to: (by: Point) => void; end: () => void } {
  const effect = new KeyframeEffect(element, null, { duration: 1 })
  const animation = new Animation(effect)
  animation.pause()
  return {
    to: ({ x, y }) => {
      const transform = `translate(${x}px, ${y}px)`
      effect.setKeyframes({ transform: [transform, transform] })
    },
    end: () => animation.cancel(),
  }
}
