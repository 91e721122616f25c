import styles from './Skeleton.module.css'

export interface SkeletonProps {
  /** CSS lengths of the final content; the default is one line of text at full width. */
  width?: string | undefined
  height?: string | undefined
  shape?: 'block' | 'circle' | undefined
}

/**
 * Holds the place of content that is on its way. It is silent: mark the region that loads with `aria-busy`.
 */
export function Skeleton({ width, height, shape = 'block' }: SkeletonProps) {
  return <span className={styles.skeleton} data-shape={shape} style={{ width, height }} aria-hidden="true" />
}
