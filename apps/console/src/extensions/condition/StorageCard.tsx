import type { Condition } from '@pult/contract'
import { ButtonLink, DataCard, formatBytes, Link, StateChip } from '@pult/ui'
import type { CardProps } from './card-props.ts'
import styles from './condition.module.css'
import { texts } from './condition.texts.ts'
import { Facts } from './Facts.tsx'
import { inMilliseconds } from './milliseconds.ts'
import { type BarPart, PartsBar } from './PartsBar.tsx'
import { isLowOnSpace } from './space.ts'

/** Database, file store and the projects with the largest files. Either half can fail independently. */
export function StorageCard({ condition, state }: { condition: Condition } & CardProps) {
  const { database, files } = condition
  const parts: BarPart[] = []
  const add = (part: BarPart['part'], name: string, value: number) =>
    parts.push({ part, value, label: `${name} ${formatBytes(value)}` })
  if (database !== null) add('1', texts.database, database.size)
  if (files !== null) add('2', texts.files, files.size)
  if (typeof files?.free === 'number') add('free', texts.free, files.free)
  return (
    <DataCard
      state={state}
      className={styles.tall}
      title={texts.storage}
      meta={<StorageState condition={condition} />}
      foot={<ButtonLink href="/projects">{texts.showProjects}</ButtonLink>}
    >
      <PartsBar parts={parts} />
      {database === null && <p className={styles.note}>{texts.databaseFailed}</p>}
      <Facts
        facts={[
          [texts.postgres, database && texts.postgresOf(database.version, database.isEmbedded)],
          [texts.answersIn, database && inMilliseconds(database.answersIn)],
          [texts.connections, database && texts.connectionsOf(database.connections, database.connectionsMax)],
          [texts.fileStore, files && texts.stores[files.store]],
          [texts.limit, files?.limit == null ? null : formatBytes(files.limit)],
        ]}
      />
      {files === null ? (
        <p className={styles.note}>{texts.filesFailed}</p>
      ) : (
        <>
          <p className={styles.part}>{texts.largest}</p>
          {files.byProject.length === 0 ? (
            <p className={styles.note}>{texts.noFiles}</p>
          ) : (
            <dl className={styles.facts}>
              {files.byProject.map(({ _id, label, size }) => (
                <div key={_id}>
                  <dt>
                    <Link href={`/projects?search=${encodeURIComponent(label)}`}>{label}</Link>
                  </dt>
                  <dd>{formatBytes(size)}</dd>
                </div>
              ))}
            </dl>
          )}
        </>
      )}
    </DataCard>
  )
}

function StorageState({ condition }: { condition: Condition }) {
  if (condition.database === null || condition.files === null)
    return <StateChip status="danger">{texts.partFailed}</StateChip>
  if (isLowOnSpace(condition.files)) return <StateChip status="warning">{texts.low}</StateChip>
  return <StateChip status="ok">{texts.well}</StateChip>
}
