import { Alert, Button, FileDrop, UploadProgress } from '@pult/ui'
import { type FocusEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { uploadTexts } from '../files/upload.texts.ts'
import { type FileUploadOptions, useFileUpload } from '../files/use-file-upload.ts'
import { useTexts } from '../texts.ts'
import styles from './FileUpload.module.css'

export interface FileUploadProps extends FileUploadOptions {
  /** Label of the button. @default 'Choose a file', with `multiple` 'Choose files' */
  label?: string
  /** Text below, such as the accepted types and sizes. */
  description?: ReactNode
  disabled?: boolean
}

/**
 * Uploads files that the user chooses, drops or pastes, one after the other, with progress and abort. A failed upload
 * shows its reason and can be resumed.
 *
 * @example <FileUpload project={project._id} onUploaded={({ filename }) => addPicture(filename)} />
 * @example <FileUpload accept="text/csv,.csv" label="Choose a list" onUploaded={({ filename }) => setList(filename)} />
 */
export function FileUpload({ label, description, disabled, ...options }: FileUploadProps) {
  const { accept = 'image/*', multiple = false } = options
  const texts = useTexts(uploadTexts)
  const { state, waiting, failed, canRetry, start, abort, retry, dismiss } = useFileUpload(options)
  const isIdle = state.kind === 'idle'

  // Another button replaces the pressed one and must receive the focus.
  const box = useRef<HTMLDivElement>(null)
  const hasFocus = useRef(false)
  const leave = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    if (!currentTarget.contains(relatedTarget)) hasFocus.current = false
  }
  useLayoutEffect(() => {
    if (hasFocus.current) box.current?.querySelector('button')?.focus()
  }, [isIdle])

  return (
    <div ref={box} className={styles.upload} onFocus={() => (hasFocus.current = true)} onBlur={leave}>
      {isIdle ? (
        <FileDrop
          label={label ?? (multiple ? texts.chooseSeveral : texts.choose)}
          hint={multiple ? texts.dropSeveral : texts.drop}
          dropLabel={texts.dropNow}
          accept={accept}
          multiple={multiple}
          disabled={disabled}
          description={description}
          onFiles={start}
        />
      ) : (
        <UploadProgress
          label={state.kind === 'uploading' ? texts.uploading(state.name) : texts.processing(state.name)}
          percent={state.kind === 'uploading' ? state.percent : null}
          note={waiting > 0 ? texts.waiting(waiting) : undefined}
          action={<Button onClick={abort}>{texts.abort}</Button>}
        />
      )}
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
    </div>
  )
}
