import { type ComponentType, lazy, Suspense } from 'react'
import { Skeleton } from '../feedback/Skeleton.tsx'
import styles from './DataTable.module.css'
import type { DataTableProps, LoadedTableProps } from './data-table.ts'

// Rows of different types render through one component; the cast restores the type that `lazy` cannot express.
const LazyGrid = lazy(async () => ({
  default: (await import('./DataGrid.tsx')).DataGrid as ComponentType<LoadedTableProps<object>>,
}))

/**
 * A table to work with: sorting, selection, resizable columns, arrow keys, and rows drawn only where they are visible, so
 * that 5,000 scroll smoothly. A short list to read is a {@link Table}. Loads on first use.
 */
export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { rows, rowHeight = 38 } = props
  const awaited = <AwaitedRows label={props.label} count={rows?.length ?? awaitedRows} height={rowHeight} />
  if (rows === undefined) return awaited
  return (
    <Suspense fallback={awaited}>
      <LazyGrid {...(props as unknown as LoadedTableProps<object>)} />
    </Suspense>
  )
}

/** Rows that hold the place of the real ones. */
function AwaitedRows({ label, count, height }: { label: string; count: number; height: number }) {
  return (
    <div className={styles.awaited} role="status" aria-label={label} aria-busy="true" data-awaited="">
      <div className={styles.awaitedHead} />
      {Array.from({ length: Math.min(count, awaitedMost) }, (_, index) => (
        <div key={index} className={styles.awaitedRow} style={{ height }}>
          <Skeleton width="22%" />
          <Skeleton width="9%" />
          <Skeleton width="14%" />
        </div>
      ))}
    </div>
  )
}

const awaitedRows = 6
const awaitedMost = 12
