import { isCancelled, useApi, useChange, useNotify } from '@pult/sdk'
import { type InstalledExtension, rootExtensionEndpoints } from '@pult/sdk/api/root'
import { useUnsavedInput } from '@pult/sdk/resource'
import { Alert, Button, Card, Checkbox, keepFocus, TextField } from '@pult/sdk/ui'
import { type SubmitEvent, useState } from 'react'
import { ConfirmedAction } from './ConfirmedAction.tsx'
import styles from './extensions.module.css'
import { extensionsPath } from './extensions.queries.ts'
import { texts } from './extensions.texts.ts'

interface BackendProps {
  extensionId: string
  backend: NonNullable<InstalledExtension['backend']>
}

/** The address of an extension's service. */
export function Backend({ extensionId, backend: { label, url, allowsHttp } }: BackendProps) {
  const [typed, setTyped] = useState<string | null>(null)
  /** The address for which the box is checked; null before the first change. */
  const [allowed, setAllowed] = useState<string | null>(null)
  const [hasTried, setTried] = useState(false)
  const call = useApi()
  const notify = useNotify()
  const params = { name: extensionId }
  const save = useChange(
    rootExtensionEndpoints.setBackend,
    (body: { url: string; allowsHttp?: boolean }) => ({ params, body }),
    { touches: [extensionsPath] },
  )
  const shown = typed ?? url ?? ''
  const entered = shown.trim()
  const isValid = isHttp(entered)
  const needsConsent = isValid && isHttpElsewhere(entered)
  const isAllowed = needsConsent && (allowed ?? (allowsHttp ? url : null)) === entered
  useUnsavedInput(entered !== (url ?? '') || isAllowed !== allowsHttp)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (!isValid || save.isPending) return
    try {
      await save.mutateAsync({ url: entered, ...(isAllowed && { allowsHttp: true }) })
      setTyped((now) => (now === typed ? null : now))
      setAllowed((now) => (now === allowed ? null : now))
      setTried(false)
      notify({ title: texts.backendSaved, tone: 'success' })
    } catch {
      // The form shows the error and keeps the input.
    }
  }
  return (
    <Card ref={keepFocus} tabIndex={-1} title={texts.backend}>
      <form className={styles.backend} onSubmit={(event) => void submit(event)} noValidate>
        <p className={styles.quiet}>{texts.backendText(label)}</p>
        <TextField
          label={texts.backendUrl}
          name="backend"
          type="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={500}
          description={texts.backendHint}
          error={hasTried && !isValid ? texts.backendInvalid : undefined}
          value={shown}
          onChange={({ target }) => {
            setTyped(target.value)
            save.reset()
          }}
        />
        {needsConsent && (
          <Checkbox
            label={texts.allowHttp}
            description={texts.allowHttpText}
            checked={isAllowed}
            onChange={({ target }) => {
              setAllowed(target.checked ? entered : '')
              save.reset()
            }}
          />
        )}
        {save.error !== null && !isCancelled(save.error) && (
          <Alert tone="danger" title={texts.backendFailed}>
            {save.error.message}
          </Alert>
        )}
        <div className={styles.formActions}>
          {url !== null && (
            <ConfirmedAction
              label={texts.removeBackend}
              variant="danger-quiet"
              question={texts.removeBackendQuestion}
              text={texts.removeBackendText}
              done={texts.backendRemoved}
              run={() => call(rootExtensionEndpoints.setBackend, { params, body: { url: null } })}
            />
          )}
          <Button type="submit" variant="primary" pending={save.isPending} pendingLabel={texts.saving}>
            {texts.save}
          </Button>
        </div>
      </form>
    </Card>
  )
}

/** Whether the server requires root's consent, because the address is neither https nor this machine. */
function isHttpElsewhere(text: string): boolean {
  const { protocol, hostname } = new URL(text)
  return protocol === 'http:' && !/^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}

function isHttp(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text)
}
