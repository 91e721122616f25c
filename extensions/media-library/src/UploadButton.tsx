import { Button } from '@pult/sdk/ui'
import UploadIcon from 'lucide-react/icons/upload'
import { useRef } from 'react'
import { accepted } from './accepted.ts'
import { texts } from './media.texts.ts'

interface UploadButtonProps {
  onFiles: (files: File[]) => void
  /** @default "Upload" */
  label?: string
  /** The accessible name of the file input. */
  fieldLabel?: string
  multiple?: boolean
  pending?: boolean
}

/** Opens the file picker. The button replaces the browser's file input, which cannot be styled. */
export function UploadButton({ onFiles, label, fieldLabel, multiple = true, pending }: UploadButtonProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={field}
        type="file"
        hidden
        accept={accepted}
        multiple={multiple}
        aria-label={fieldLabel ?? texts.uploadLabel}
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          // Resets the field, so that the same file can be chosen again.
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
      <Button
        variant={label === undefined ? 'primary' : undefined}
        icon={<UploadIcon aria-hidden="true" />}
        pending={pending ?? false}
        onClick={() => field.current?.click()}
      >
        {label ?? texts.upload}
      </Button>
    </>
  )
}
