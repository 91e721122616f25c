import { useDownload, useFormat, useNotify, useProject, useRun } from '@pult/sdk'
import { type EdgeInstance, edgeProgramEndpoints } from '@pult/sdk/api'
import { Waiting } from '@pult/sdk/resource'
import { Alert, Button, Card, IconButton, ScrollRegion, SearchField } from '@pult/sdk/ui'
import Download from 'lucide-react/icons/download'
import X from 'lucide-react/icons/x'
import { memo, type UIEvent, useEffect, useMemo, useRef, useState } from 'react'
import styles from './edges.module.css'
import { texts } from './edges.texts.ts'
import { isRefused, useLog } from './log.queries.ts'
import { filtered, hasEarlier, type LogRow } from './log-lines.ts'

interface LogCardProps {
  edgeId: string
  instance: EdgeInstance
  onClose: () => void
}

/** Largest distance from the end, in pixels, at which the log follows its newest line. */
const nearEnd = 40

/** The log of a program, live. */
export function LogCard({ edgeId, instance: { _id: instanceId, label }, onClose }: LogCardProps) {
  const notify = useNotify()
  const [isPaused, setPaused] = useState(false)
  const [words, setWords] = useState('')
  const { data: view, error, refetch, earlier } = useLog({ edgeId, instanceId, isPaused })
  const rows = useMemo(() => filtered(view?.rows ?? [], words), [view, words])
  return (
    <Card
      title={texts.logOf(label)}
      actions={
        <>
          <SaveButton edgeId={edgeId} instanceId={instanceId} />
          <Button onClick={() => setPaused(!isPaused)}>
            {isPaused ? texts.logContinue : texts.logPause}
          </Button>
          <IconButton label={texts.logClose(label)} icon={<X />} onClick={onClose} />
        </>
      }
    >
      {view === undefined || isRefused(error) ? (
        <Waiting failed={texts.logFailed} error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={styles.logCard}>
          <SearchField
            label={texts.logFilter}
            value={words}
            onChange={setWords}
            clearLabel={texts.clearFilter}
          />
          {error !== null && <Alert tone="warning">{texts.logWaiting}</Alert>}
          {hasEarlier(view) && (
            <Button
              variant="ghost"
              pending={earlier.isPending}
              onClick={() =>
                earlier.mutate(view, {
                  onError: (refusal) => notify({ title: texts.logEarlierFailed, error: refusal }),
                })
              }
            >
              {texts.logEarlier}
            </Button>
          )}
          <Lines label={label} rows={rows} isEmpty={view.rows.length === 0} />
        </div>
      )}
    </Card>
  )
}

function SaveButton({ edgeId, instanceId }: { edgeId: string; instanceId: string }) {
  const { _id: projectId } = useProject()
  const download = useDownload()
  const notify = useNotify()
  const save = useRun(
    () => download(edgeProgramEndpoints.logFile, { params: { projectId, edgeId, instanceId } }),
    { onError: (error) => notify({ title: texts.logDownloadFailed, error }) },
  )
  return (
    <Button icon={<Download />} pending={save.isPending} onClick={() => save.mutate()}>
      {texts.logDownload}
    </Button>
  )
}

interface LinesProps {
  label: string
  rows: readonly LogRow[]
  isEmpty: boolean
}

/** Follows the newest line until the user scrolls up. */
const Lines = memo(function Lines({ label, rows, isEmpty }: LinesProps) {
  const format = useFormat()
  const box = useRef<HTMLDivElement>(null)
  const follows = useRef(true)
  useEffect(() => {
    if (follows.current) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [rows])
  const onScroll = ({
    currentTarget: { scrollHeight, scrollTop, clientHeight },
  }: UIEvent<HTMLDivElement>) => {
    follows.current = scrollHeight - scrollTop - clientHeight < nearEnd
  }
  return (
    <ScrollRegion
      ref={box}
      className={styles.programLog}
      role="log"
      aria-live="off"
      aria-label={texts.logOf(label)}
      onScroll={onScroll}
    >
      {rows.length === 0 && (isEmpty ? texts.logEmpty : texts.logNoMatch)}
      {rows.map((row) =>
        'skipped' in row ? (
          <span key={`gap ${row.number}`} className={styles.logGap}>
            {texts.logSkipped(row.skipped)}
          </span>
        ) : (
          <span key={row.number} className={styles.line}>
            <time dateTime={row.at} className={styles.logTime}>
              {format.time(row.at)}
            </time>{' '}
            {row.text}
          </span>
        ),
      )}
    </ScrollRegion>
  )
})
