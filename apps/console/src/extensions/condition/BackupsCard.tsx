import { type Backups, backupEndpoints, conditionEndpoints } from '@pult/contract'
import { useChange } from '@pult/sdk'
import { readTouched } from '@pult/sdk/host'
import {
  Alert,
  Button,
  DataCard,
  formatBytes,
  formatInstant,
  Progress,
  Skeleton,
  StateChip,
  TimeAgo,
} from '@pult/ui'
import Archive from 'lucide-react/icons/archive'
import { useEffect } from 'react'
import { messageOf } from '#platform/api-error.ts'
import { useCardState } from '#platform/desk/use-card-state.tsx'
import { queryClient } from '#platform/query-client.ts'
import { isCancelled } from '#platform/recent-sign-in.ts'
import { texts } from './backups.texts.ts'
import styles from './condition.module.css'
import { conditionReadEvery, useBackups } from './condition.queries.ts'
import { Facts } from './Facts.tsx'
import { GuideLink } from './GuideLink.tsx'

/** Maximum number of listed archives. */
const maxListed = 4

/** The last backup, whether it can be restored, and a button that starts the next one. */
export function BackupsCard() {
  const reading = useBackups()
  const { data } = reading
  const state = useCardState(reading, {
    usual: conditionReadEvery,
    skeleton: <Skeleton height="9rem" />,
    failed: texts.failed,
  })
  const isRunning = data !== undefined && data.running !== null
  useEffect(() => {
    // The end of a backup may resolve a decision.
    if (isRunning) return () => void readTouched(queryClient, [conditionEndpoints.read])
  }, [isRunning])
  if (data === undefined) return <DataCard title={texts.title} state={state} />
  const isSetUp = data.place !== null && data.hasKey
  return (
    <DataCard
      state={state}
      className={isSetUp ? styles.tall : undefined}
      title={texts.title}
      meta={<BackupsState backups={data} />}
      // Until backups are set up, the list of decisions contains the setting to copy.
      foot={
        isSetUp ? <Start isRunning={isRunning} /> : <GuideLink guide="backup">{texts.howToSetUp}</GuideLink>
      }
    >
      {isSetUp ? <Details backups={data} /> : <p className={styles.note}>{texts.notSetUpText}</p>}
    </DataCard>
  )
}

function Details({ backups }: { backups: Backups }) {
  const { archives, next, place, provenAt, missing, running } = backups
  const [newest] = archives
  const size = archives.reduce((sum, archive) => sum + archive.size, 0)
  return (
    <>
      {running !== null && <Running running={running} />}
      <Reasons backups={backups} />
      <Facts
        facts={[
          [texts.last, newest === undefined ? texts.none : <TimeAgo key="last" at={newest.createdAt} />],
          [texts.provenAt, provenAt === null ? texts.never : <TimeAgo key="proven" at={provenAt} />],
          [texts.next, next === null ? texts.unscheduled : formatInstant(next)],
          [texts.archives, texts.archivesOf(archives.length, formatBytes(size))],
          [texts.place, <code key="place">{place}</code>],
          [texts.missing, missing > 0 ? missing : null],
        ]}
      />
      {newest !== undefined && (
        <>
          <p className={styles.part}>{texts.list}</p>
          <Facts
            facts={archives
              .slice(0, maxListed)
              .map(({ createdAt, size: bytes, isEncrypted, provenAt: at }) => [
                formatInstant(createdAt),
                `${texts.size(formatBytes(bytes), at !== null)}${isEncrypted ? '' : ` · ${texts.notEncrypted}`}`,
              ])}
          />
        </>
      )}
    </>
  )
}

function Running({ running: { progress } }: { running: NonNullable<Backups['running']> }) {
  const label = progress === null ? texts.starting : texts.steps[progress.step]
  const share = progress === null || progress.total === 0 ? null : (progress.done / progress.total) * 100
  return (
    <div role="status">
      <p className={styles.note}>{label}</p>
      <Progress label={label} value={share} />
    </div>
  )
}

function Reasons({ backups: { failure, drillFailure, trouble } }: { backups: Backups }) {
  return (
    <>
      {trouble !== null && (
        <Alert tone="danger" title={texts.unreachable}>
          {trouble}
        </Alert>
      )}
      {failure !== null && (
        <Alert tone="danger" title={texts.backupFailed}>
          {failure.reason}
        </Alert>
      )}
      {drillFailure !== null && (
        <Alert tone="danger" title={texts.drillFailed}>
          {drillFailure.reason}
        </Alert>
      )}
    </>
  )
}

function Start({ isRunning }: { isRunning: boolean }) {
  const start = useChange(backupEndpoints.start, () => ({}), { touches: [backupEndpoints.read] })
  return (
    <>
      <Button
        icon={<Archive aria-hidden="true" />}
        pending={start.isPending || isRunning}
        onClick={() => start.mutate()}
      >
        {texts.start}
      </Button>
      {start.error !== null && !isCancelled(start.error) && (
        <Alert tone="danger" title={texts.startFailed}>
          {messageOf(start.error)}
        </Alert>
      )}
    </>
  )
}

function BackupsState({ backups }: { backups: Backups }) {
  const { place, hasKey, trouble, failure, drillFailure, running, archives, drill, provenAt } = backups
  if (place === null || !hasKey) return <StateChip status="warning">{texts.notSetUp}</StateChip>
  if (trouble !== null) return <StateChip status="danger">{texts.unreachable}</StateChip>
  if (running !== null) return <StateChip status="info">{texts.running}</StateChip>
  if (failure !== null || drillFailure !== null) return <StateChip status="danger">{texts.trouble}</StateChip>
  const [newest] = archives
  if (newest === undefined) return <StateChip status="warning">{texts.none}</StateChip>
  // Otherwise most archives are never restored on trial.
  const proof = drill === 'daily' || drill === 'weekly' ? provenAt : newest.provenAt
  return proof === null ? (
    <StateChip status="warning">{texts.unproven}</StateChip>
  ) : (
    <StateChip status="ok">{texts.proven}</StateChip>
  )
}
