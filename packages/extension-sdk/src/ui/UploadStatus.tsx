import { Alert, Button, formatBytes, formatDuration, UploadProgress } from '@pult/ui'
import { useEffect, useRef, useState } from 'react'
import { uploadTexts } from '../files/upload.texts.ts'
import type { FileUploadControl, UploadState } from '../files/use-file-upload.ts'
import { useLocale } from '../hooks.ts'
import { useTexts } from '../texts.ts'
import styles from './FileUpload.module.css'

type Texts = (typeof uploadTexts)['de']

/** Milliseconds between two announcements of the progress to screen readers. */
const announcedEvery = 30_000

/**
 * Shows running, failed and interrupted uploads of {@link useFileUpload}: bytes, rate and remaining time, the reason of
 * each failure, and the files that continue when the user chooses them again. Shows nothing without them.
 *
 * @example const upload = useFileUpload(options); return <UploadStatus upload={upload} />
 */
export function UploadStatus({ upload }: { upload: FileUploadControl }) {
  const { state, failed, canRetry, retry, dismiss } = upload
  const texts = useTexts(uploadTexts)
  return (
    <>
      {state.kind !== 'idle' && <Running state={state} abort={upload.abort} />}
      {failed.length > 0 && (
        <Alert
          tone="danger"
          title={texts.failed}
          action={
            <div className={styles.actions}>
              {canRetry && <Button onClick={retry}>{texts.retry}</Button>}
              <Button variant="ghost" onClick={dismiss}>
                {texts.dismiss}
              </Button>
            </div>
          }
        >
          {failed.map(({ id, name, message }) => (
            <p key={id}>{`${name}: ${message}`}</p>
          ))}
        </Alert>
      )}
      {state.kind === 'idle' && upload.unfinished.length > 0 && <Interrupted upload={upload} />}
    </>
  )
}

function Running({ state, abort }: { state: Exclude<UploadState, { kind: 'idle' }>; abort: () => void }) {
  const texts = useTexts(uploadTexts)
  const { name, position = 1, count = 1 } = state
  const isUploading = state.kind === 'uploading'
  const label = isUploading ? texts.uploading(name) : texts.processing(name)
  const details = detailsOf(state, texts, useLocale())
  const isWaiting = isUploading && state.isWaiting === true
  const progress = useSparing(isUploading ? `${state.percent} %, ${details}` : '', label)
  return (
    <UploadProgress
      label={label}
      percent={isUploading ? state.percent : null}
      note={count > 1 ? texts.fileOf(position, count) : undefined}
      details={details}
      announcement={isWaiting ? `${name}: ${details}` : `${label} ${progress}`.trim()}
      action={<Button onClick={abort}>{texts.abort}</Button>}
    />
  )
}

/** Returns the text as it was at the last announcement: empty at first, and when `subject` changes. */
function useSparing(text: string, subject: string): string {
  const latest = useRef(text)
  useEffect(() => {
    latest.current = text
  })
  const [announced, setAnnounced] = useState({ subject, text: '' })
  useEffect(() => {
    const timer = setInterval(() => setAnnounced({ subject, text: latest.current }), announcedEvery)
    return () => clearInterval(timer)
  }, [subject])
  return announced.subject === subject ? announced.text : ''
}

function detailsOf(state: UploadState, texts: Texts, locale: string): string {
  if (state.kind !== 'uploading') return ''
  if (state.isWaiting === true) return texts.waitingForConnection
  const { sent, size, rate, remaining } = state
  const parts: string[] = []
  if (sent !== undefined && size !== undefined)
    parts.push(texts.sentOf(formatBytes(sent, locale), formatBytes(size, locale)))
  if (rate != null && rate > 0) parts.push(texts.rate(formatBytes(rate, locale)))
  if (remaining != null) parts.push(texts.remaining(formatDuration(coarse(remaining), 'en')))
  return parts.join(' · ')
}

/** Rounds up to 5 s below a minute, otherwise to whole minutes, so that the text changes rarely. */
const coarse = (seconds: number) => {
  const step = seconds <= 60 ? 5 : 60
  return Math.max(1, Math.ceil(seconds / step)) * step
}

function Interrupted({ upload: { unfinished, discard } }: { upload: FileUploadControl }) {
  const texts = useTexts(uploadTexts)
  const { length } = unfinished
  return (
    <Alert tone="info" title={texts.interrupted(length)}>
      <p>{texts.chooseAgain(length)}</p>
      <ul className={styles.unfinished}>
        {unfinished.map(({ id, name, percent }) => (
          <li key={id}>
            <span className={styles.name}>{name}</span>
            <span className={styles.percent}>{`${percent} %`}</span>
            <Button variant="ghost" aria-label={texts.discardFile(name)} onClick={() => discard(id)}>
              {texts.discard}
            </Button>
          </li>
        ))}
      </ul>
    </Alert>
  )
}
