import styles from './Skeleton.module.css'

export interface SkeletonProps {
  /** CSS lengths of the final content; the default is one line of text at full width. */
  width?: string | undefined
  height?: string | undefined
  shape?: 'block' | 'circle' | undefined
}

/**
 * Reserves the space of content that is still loading. Screen readers skip it: mark the loading region with
 * `aria-busy`.
 */
export function Skeleton({ width, height, shape = 'block' }: SkeletonProps) {
  return <span className={styles.skeleton} data-shape={shape} style={{ width, height }} aria-hidden="true" />
}
