import type { ReactNode } from 'react'
import styles from './StateChip.module.css'
import { StatusShape } from './StatusShape.tsx'
import type { Status } from './status.ts'

export interface StateChipProps {
  status: Status
  /** The state ("Offline") or its cause ("Disk 94 %"). */
  children: ReactNode
  /** Omits the pill, for rows of lists and tables. */
  plain?: boolean
}

/** Shows a state as a shape and a word: `<StateChip status="danger">Offline</StateChip>`. */
export function StateChip({ status, children, plain = false }: StateChipProps) {
  return (
    <span className={plain ? styles.plain : styles.chip} data-status={status}>
      <StatusShape status={status} />
      {children}
    </span>
  )
}
