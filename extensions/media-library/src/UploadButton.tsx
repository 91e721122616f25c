import { Button } from '@pult/sdk/ui'
import UploadIcon from 'lucide-react/icons/upload'
import type { RefObject } from 'react'
import { accepted } from './accepted.ts'
import { texts } from './media.texts.ts'

interface UploadFieldProps {
  ref: RefObject<HTMLInputElement | null>
  onFiles: (files: File[]) => void
  /** Its accessible name. */
  label?: string
  multiple?: boolean
}

/**
 * The file input of the upload buttons, which replace it because browsers cannot style it. It must remain on the page
 * while its file picker is open: the browser drops the files of an input that has been removed.
 */
export function UploadField({ ref, onFiles, label, multiple = true }: UploadFieldProps) {
  return (
    <input
      ref={ref}
      type="file"
      hidden
      accept={accepted}
      multiple={multiple}
      aria-label={label ?? texts.uploadLabel}
      onChange={({ target }) => {
        const files = [...(target.files ?? [])]
        // Resets the field, so that the same file can be chosen again.
        target.value = ''
        if (files.length > 0) onFiles(files)
      }}
    />
  )
}

interface UploadButtonProps {
  field: RefObject<HTMLInputElement | null>
  /** @default "Upload" */
  label?: string
  pending?: boolean
}

/** Opens the file picker of the field. */
export function UploadButton({ field, label, pending }: UploadButtonProps) {
  return (
    <Button
      variant={label === undefined ? 'primary' : undefined}
      icon={<UploadIcon aria-hidden="true" />}
      pending={pending ?? false}
      onClick={() => field.current?.click()}
    >
      {label ?? texts.upload}
    </Button>
  )
}
