import { FileDrop } from '@pult/ui'
import { type FocusEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { uploadTexts } from '../files/upload.texts.ts'
import { type FileUploadOptions, useFileUpload } from '../files/use-file-upload.ts'
import { useTexts } from '../texts.ts'
import styles from './FileUpload.module.css'
import { UploadStatus } from './UploadStatus.tsx'

export interface FileUploadProps extends FileUploadOptions {
  /** Label of the button. @default 'Choose a file', with `multiple` 'Choose files' */
  label?: string
  /** Text below, such as the accepted types and sizes. */
  description?: ReactNode
  disabled?: boolean
}

/**
 * Uploads files that the user chooses, drops or pastes, one after the other, with progress, remaining time and abort. An
 * interrupted upload continues automatically, and after a reload when the user chooses the same file again. A failed upload
 * shows its reason.
 *
 * @example <FileUpload project={project._id} onUploaded={({ filename }) => addPicture(filename)} />
 * @example <FileUpload accept="text/csv,.csv" label="Choose a list" onUploaded={({ filename }) => setList(filename)} />
 */
export function FileUpload({ label, description, disabled, ...options }: FileUploadProps) {
  const { accept = 'image/*', multiple = false } = options
  const texts = useTexts(uploadTexts)
  const upload = useFileUpload(options)
  const isIdle = upload.state.kind === 'idle'

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
      {isIdle && (
        <FileDrop
          label={label ?? (multiple ? texts.chooseSeveral : texts.choose)}
          hint={multiple ? texts.dropSeveral : texts.drop}
          dropLabel={texts.dropNow}
          accept={accept}
          multiple={multiple}
          disabled={disabled}
          description={description}
          onFiles={upload.start}
        />
      )}
      <UploadStatus upload={upload} />
    </div>
  )
}
