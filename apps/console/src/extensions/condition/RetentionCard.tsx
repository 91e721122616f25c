import { type Retained, type RetentionPart, retentionDays, retentionEndpoints } from '@pult/contract'
import { useChange } from '@pult/sdk'
import {
  ConfirmDialog,
  DataCard,
  formatBytes,
  SelectField,
  Skeleton,
  Table,
  type TableColumn,
  TimeAgo,
} from '@pult/ui'
import { useState } from 'react'
import { useCardState } from '#platform/desk/use-card-state.tsx'
import { notify } from '#platform/notify.ts'
import { isCancelled } from '#platform/recent-sign-in.ts'
import styles from './condition.module.css'
import { useRetention } from './condition.queries.ts'
import { texts } from './condition.texts.ts'

/** Offered retentions in days, restricted to the limits of a part. */
const choices = [1, 7, 14, 30, 60, 90, 180, 365, 730, 1095, 1825, 3650]

const columns: TableColumn<Retained>[] = [
  { header: texts.part, kind: 'title', cell: ({ part }) => texts.parts[part] },
  { header: texts.entries, cell: ({ rows }) => rows.toLocaleString(document.documentElement.lang) },
  { header: texts.size, cell: ({ size }) => formatBytes(size) },
  { header: texts.oldestRecord, cell: ({ oldest }) => oldest && <TimeAgo at={oldest} /> },
  { header: texts.inThirtyDays, cell: ({ forecast }) => formatBytes(forecast) },
  { header: texts.kept, cell: (retained) => <Kept {...retained} /> },
]

/** The growing parts of the database, with their size and retention. */
export function RetentionCard() {
  const reading = useRetention()
  const { data } = reading
  const state = useCardState(reading, {
    usual: false,
    skeleton: <Skeleton height="16rem" />,
    failed: texts.retentionFailed,
  })
  if (data === undefined) return <DataCard className={styles.wide} title={texts.retention} state={state} />
  const { parts, archive } = data
  const { files, entries, size } = archive
  return (
    <DataCard
      state={state}
      className={styles.wide}
      title={texts.retention}
      foot={
        <span className={styles.archive}>
          {files === 0 ? texts.archiveEmpty : texts.archived(entries, files, formatBytes(size))}
        </span>
      }
      flush
    >
      <Table label={texts.retention} columns={columns} rows={parts} rowKey={({ part }) => part} />
    </DataCard>
  )
}

function Kept({ part, days }: Retained) {
  return part === 'events' || part === 'edge-reports' ? (
    texts.fixed[part]
  ) : (
    <Setting part={part} days={days ?? retentionDays[part].default} />
  )
}

/**
 * Selects a retention. A shorter one needs confirmation, except for the audit log, whose entries remain in the archive.
 */
function Setting({ part, days }: { part: RetentionPart; days: number }) {
  const [asked, setAsked] = useState<number | null>(null)
  const { mutate, isPending } = useChange(
    retentionEndpoints.change,
    (chosen: number) => ({ body: { [part]: chosen } }),
    {
      touches: [retentionEndpoints.read],
      onSuccess: () => notify.success(texts.keepChanged),
      onError: (error) => {
        if (!isCancelled(error)) notify.error(texts.keepFailed, error)
      },
    },
  )
  const { least, most } = retentionDays[part]
  const offered = [...new Set([...choices.filter((choice) => choice >= least && choice <= most), days])]
  const name = texts.parts[part]
  return (
    <>
      <SelectField
        label={texts.keptOf(name)}
        hideLabel
        className={styles.kept}
        value={days}
        disabled={isPending}
        onChange={({ target }) => {
          const chosen = Number(target.value)
          if (part !== 'audit' && chosen < days) setAsked(chosen)
          else mutate(chosen)
        }}
      >
        {offered
          .toSorted((a, b) => a - b)
          .map((choice) => (
            <option key={choice} value={choice}>
              {texts.days(choice)}
            </option>
          ))}
      </SelectField>
      <ConfirmDialog
        open={asked !== null}
        title={texts.keepQuestion(name, texts.days(asked ?? days))}
        confirmLabel={texts.keepConfirm}
        cancelLabel={texts.cancel}
        destructive
        onConfirm={() => {
          if (asked !== null) mutate(asked)
          setAsked(null)
        }}
        onCancel={() => setAsked(null)}
      >
        {texts.keepText}
      </ConfirmDialog>
    </>
  )
}
