import { Skeleton } from './Skeleton.tsx'

export interface AwaitedProps {
  /** The height of each skeleton, about that of the final content; one line of text by default. */
  height?: string | undefined
  /** Number of skeletons, one below the other; 1 by default. */
  count?: number | undefined
  className?: string | undefined
}

/**
 * Reserves the space of a part of a page that is still loading. The console hides the content that follows it for at
 * most 3 s, so that no control moves.
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
