import type { ReactNode } from 'react'
import styles from './FactList.module.css'

/** A name and its value. */
export type Fact = readonly [name: string, value: ReactNode]

export interface FactListProps {
  facts: readonly Fact[]
}

/**
 * Shows names with their values as plain text: a record for users who may not change it. It fills a flush card.
 *
 * @example
 * <DataCard title="Details" flush state={{ kind: 'read-only', text: 'Only editors can change this' }}>
 *   <FactList facts={[['Name', label], ['Tags', tags.join(', ')]]} />
 * </DataCard>
 */
export function FactList({ facts }: FactListProps) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name} className={styles.fact}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
