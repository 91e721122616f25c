import UploadIcon from 'lucide-react/icons/upload'
import { type ClipboardEvent, type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '../button/Button.tsx'
import styles from './FileDrop.module.css'

export interface FileDropProps {
  /** Label of the button: "Choose a file". */
  label: string
  /** Text beside the button: "or drop it here". */
  hint: string
  /** Replaces button and hint while files are dragged over it: "Drop to upload". */
  dropLabel: string
  /** Value of the `accept` attribute of the file input. Dropped and pasted files may have any type. */
  accept?: string | undefined
  multiple?: boolean | undefined
  disabled?: boolean | undefined
  /** Text below, such as the accepted types and sizes. */
  description?: ReactNode
  onFiles: (files: readonly File[]) => void
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/**
 * Accepts files that the user chooses with its button, drops on it, or pastes while the button has the focus. While files
 * are dragged anywhere, `data-files-dragged` on the document highlights it.
 */
export function FileDrop({
  label,
  hint,
  dropLabel,
  accept,
  multiple = false,
  disabled = false,
  description,
  onFiles,
}: FileDropProps) {
  const input = useRef<HTMLInputElement>(null)
  // Counts nested elements, because each of them sends its own dragenter and dragleave.
  const depth = useRef(0)
  const [isOver, setOver] = useState(false)

  const give = (list: FileList | null | undefined) => {
    const files = [...(list ?? [])]
    if (files.length > 0 && !disabled) onFiles(files)
  }
  const hover = (change: 1 | -1) => (event: DragEvent) => {
    if (!hasFiles(event)) return
    depth.current += change
    setOver(depth.current > 0 && !disabled)
  }
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return
    event.preventDefault()
    event.stopPropagation()
    depth.current = 0
    setOver(false)
    give(event.dataTransfer.files)
  }
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    give(event.clipboardData.files)
  }
  return (
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      data-disabled={disabled || undefined}
      onDragEnter={hover(1)}
      onDragLeave={hover(-1)}
      // Otherwise the page refuses the file, or the browser opens it.
      onDragOver={(event) => hasFiles(event) && !disabled && event.preventDefault()}
      onDrop={drop}
      onPaste={paste}
    >
      <div className={styles.row}>
        <Button icon={<UploadIcon />} disabled={disabled} onClick={() => input.current?.click()}>
          {label}
        </Button>
        <span className={styles.hint} aria-hidden="true">
          {isOver ? dropLabel : hint}
        </span>
      </div>
      {description !== undefined && <div className={styles.description}>{description}</div>}
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        onChange={({ target }) => {
          give(target.files)
          // Lets the user choose the same file again.
          target.value = ''
        }}
      />
    </div>
  )
}
