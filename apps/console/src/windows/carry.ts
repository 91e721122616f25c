import type { Point } from './window-geometry.ts'

/**
 * Displaces an element until the end. It uses a paused animation instead of a style: Chromium treats animated
 * elements as able to overlap anything, so it only moves the element's layer. A style change makes it recompute the
 * layers of the whole page in each frame and for every open window.
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
