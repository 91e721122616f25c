import type { FileUploadControl } from '@pult/sdk'
import { Alert, Button, UploadProgress } from '@pult/sdk/ui'
import styles from './library.module.css'
import { texts } from './media.texts.ts'

/** Running and failed uploads. */
export function UploadStatus({ upload }: { upload: FileUploadControl }) {
  const { state, waiting, failed, canRetry, abort, retry, dismiss } = upload
  return (
    <>
      {state.kind !== 'idle' && (
        <UploadProgress
          label={state.kind === 'uploading' ? texts.uploading(state.name) : texts.finishing(state.name)}
          percent={state.kind === 'uploading' ? state.percent : null}
          note={waiting > 0 ? texts.waiting(waiting) : undefined}
          action={<Button onClick={abort}>{texts.abort}</Button>}
        />
      )}
      {failed.length > 0 && (
        <Alert
          tone="danger"
          title={texts.uploadFailed}
          action={
            <div className={styles.failedActions}>
              {canRetry && <Button onClick={retry}>{texts.retry}</Button>}
              <Button variant="ghost" onClick={dismiss}>
                {texts.dismiss}
              </Button>
            </div>
          }
        >
          {failed.map(({ name, message }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- Files may have the same name.
            <p key={index}>{`${name}: ${message}`}</p>
          ))}
        </Alert>
      )}
    </>
  )
}
