import { type ReplyOf, setupEndpoints } from '@pult/contract'
import { Alert, Button, formatBytes, formatInstant, SelectField, TextAreaField } from '@pult/ui'
import { type SubmitEvent, useCallback, useEffect, useState } from 'react'
import { api } from '#platform/api.ts'
import { messageOf } from '#platform/api-error.ts'
import type { Locale } from '#platform/locale.ts'
import styles from './Setup.module.css'
import type { SetupWords } from './setup-words.ts'

interface RestoreFormProps {
  token: string
  words: SetupWords
  language: Locale
  /** Called after the server has accepted the archive and its key. */
  onRestoring: () => void
  onBack: () => void
}

type Found = ReplyOf<typeof setupEndpoints.backups>

/** Restores a backup instead of creating the first account. */
export function RestoreForm({ token, words, language, onRestoring, onBack }: RestoreFormProps) {
  const [found, setFound] = useState<Found | null>(null)
  const [chosen, setChosen] = useState('')
  const [key, setKey] = useState('')
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const look = useCallback(
    () =>
      api(setupEndpoints.backups, { body: { token } }).then((reply) => {
        setFailure(null)
        setFound(reply)
        setChosen(reply.archives[0]?.name ?? '')
      }, setFailure),
    [token],
  )
  useEffect(() => void look(), [look])

  const restore = async () => {
    setSending(true)
    setFailure(null)
    try {
      await api(setupEndpoints.restore, { body: { token, archive: chosen, key } })
      onRestoring()
    } catch (error) {
      setFailure(error)
      setSending(false)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void restore()
  }
  const hasNone = found !== null && found.archives.length === 0
  const isUnread = found === null && failure !== null
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <div className={styles.head}>
        <h2>{words.restoreTitle}</h2>
        <p>{words.restoreText}</p>
      </div>
      {hasNone ? (
        <CopyFirst place={found.place} words={words} />
      ) : (
        !isUnread && (
          <>
            <SelectField
              label={words.archive}
              value={chosen}
              onChange={({ target }) => setChosen(target.value)}
            >
              {(found?.archives ?? []).map(({ name, createdAt, size }) => (
                <option key={name} value={name}>
                  {`${formatInstant(createdAt, language)} · ${formatBytes(size, language)}`}
                </option>
              ))}
            </SelectField>
            <TextAreaField
              label={words.key}
              description={words.keyText}
              value={key}
              autoComplete="off"
              spellCheck={false}
              rows={2}
              onChange={({ target }) => setKey(target.value)}
            />
          </>
        )
      )}
      {found !== null && found.restoreFailure !== null && failure === null && (
        <Alert tone="danger" title={words.restoreFailed}>
          {found.restoreFailure.reason}
        </Alert>
      )}
      {failure !== null && (
        <Alert
          tone="danger"
          action={isUnread ? <Button onClick={() => void look()}>{words.tryAgain}</Button> : undefined}
        >
          {messageOf(failure)}
        </Alert>
      )}
      <div className={styles.actions}>
        <Button variant="ghost" onClick={onBack}>
          {words.back}
        </Button>
        {hasNone ? (
          found.place !== null && (
            <Button variant="primary" onClick={() => void look()}>
              {words.lookAgain}
            </Button>
          )
        ) : (
          <Button
            type="submit"
            variant="primary"
            pending={isSending}
            pendingLabel={words.restoring}
            disabled={chosen === ''}
          >
            {words.restoreNow}
          </Button>
        )}
      </div>
    </form>
  )
}

/** Explains how to copy a backup to this machine. An archive that lacks some of its files cannot be restored. */
function CopyFirst({ place, words }: { place: string | null; words: SetupWords }) {
  if (place !== null)
    return (
      <Alert tone="warning" title={words.noArchives}>
        {words.copyInto} <code>{place}</code>
      </Alert>
    )
  return (
    <ol className={styles.steps}>
      {words.copySteps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  )
}
