import { type ComponentType, lazy, Suspense } from 'react'
import { Skeleton } from '../feedback/Skeleton.tsx'
import { inRem } from './column-widths.ts'
import styles from './DataTable.module.css'
import type { DataTableProps, LoadedTableProps } from './data-table.ts'

// Rows of different types render through one component; the cast restores the type that `lazy` cannot express.
const LazyGrid = lazy(async () => ({
  default: (await import('./DataGrid.tsx')).DataGrid as ComponentType<LoadedTableProps<object>>,
}))

/**
 * Renders an interactive table with sorting, selection, resizable columns and arrow keys. It renders only visible rows,
 * so that 5,000 rows scroll smoothly. For a short list without interaction, use {@link Table}. Loads on first use.
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

/** Renders placeholder rows while the table loads. */
function AwaitedRows({ label, count, height }: { label: string; count: number; height: number }) {
  return (
    <div className={styles.awaited} role="status" aria-label={label} aria-busy="true" data-awaited="">
      <div className={styles.awaitedHead} />
      {Array.from({ length: Math.min(count, awaitedMost) }, (_, index) => (
        <div key={index} className={styles.awaitedRow} style={{ height: inRem(height) }}>
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
