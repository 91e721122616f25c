import { Skeleton } from './Skeleton.tsx'

export interface AwaitedProps {
  /** The height of each skeleton, about that of the final content; one line of text by default. */
  height?: string | undefined
  /** Skeletons, one below the other. */
  count?: number | undefined
  className?: string | undefined
}

/**
 * Holds the place of a part of a page that is on its way. What follows it on the page is held back until it is here, so
 * that no control moves.
 *
 * @example if (cues === undefined) return <Awaited height="38px" count={2} />
 */
export function Awaited({ height, count = 1, className }: AwaitedProps) {
  return (
    <div className={className} aria-busy="true" data-awaited="">
      {Array.from({ length: count }, (_, index) => (
        <Skeleton key={index} height={height} />
      ))}
    </div>
  )
}
