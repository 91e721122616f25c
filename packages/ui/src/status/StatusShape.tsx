import '../styles/desk.css'
import type { ReactNode } from 'react'
import styles from './StatusShape.module.css'
import type { Status } from './status.ts'

const shapes: Record<Status, ReactNode> = {
  ok: <circle cx="7" cy="7" r="4" fill="currentColor" />,
  warning: (
    <path
      d="M7 2 12.6 11.8H1.4z"
      fill="currentColor"
      stroke="currentColor"
      strokeWidth="1.2"
      strokeLinejoin="round"
    />
  ),
  danger: (
    <>
      <rect x="1.8" y="1.8" width="10.4" height="10.4" rx="2.4" />
      <path d="M4.4 9.6 9.6 4.4" />
    </>
  ),
  failed: <path d="M2.8 2.8l8.4 8.4m0-8.4-8.4 8.4" />,
  info: <circle cx="7" cy="7" r="4.8" strokeDasharray="2.5 1.27" pathLength="30.16" strokeLinecap="butt" />,
  paused: <path d="M4.6 2.8v8.4M9.4 2.8v8.4" strokeLinecap="butt" />,
  stopped: <rect x="2.6" y="2.6" width="8.8" height="8.8" rx="1.4" />,
}

export interface StatusShapeProps {
  status: Status
  /** Accessible name. Omit it if a word beside the shape names the state. */
  label?: string | undefined
}

/** Draws the shape of a state: disc, triangle, barred square, cross, dashed ring, two bars or hollow square. */
export function StatusShape({ status, label }: StatusShapeProps) {
  return (
    <svg
      className={styles.shape}
      data-status={status}
      viewBox="0 0 14 14"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {shapes[status]}
    </svg>
  )
}
