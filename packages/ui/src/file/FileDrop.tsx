import UploadIcon from 'lucide-react/icons/upload'
import { type ClipboardEvent, type DragEvent, type ReactNode, useRef, useState } from 'react'
import { Button } from '../button/Button.tsx'
import styles from './FileDrop.module.css'

export interface FileDropProps {
  /** On the button: "Choose a file". */
  label: string
  /** Beside it: "or drop it here". */
  hint: string
  /** In their place while files are held over it: "Drop to upload". */
  dropLabel: string
  /** As an `<input type="file">` takes it. Dropped and pasted files may be of any type. */
  accept?: string | undefined
  multiple?: boolean | undefined
  disabled?: boolean | undefined
  /** Below: which files are wanted, for example. */
  description?: ReactNode
  onFiles: (files: readonly File[]) => void
}

/** A place for files: they are chosen with its button, dropped on it, or pasted while the button has the focus. */
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
  // Entered and left once for every element inside.
  const depth = useRef(0)
  const [isOver, setOver] = useState(false)

  const give = (list: FileList | null | undefined) => {
    const files = [...(list ?? [])]
    if (files.length > 0 && !disabled) onFiles(files)
  }
  const hover = (change: 1 | -1) => (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    depth.current += change
    setOver(depth.current > 0 && !disabled)
  }
  const drop = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
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
      // Without it the browser would open the file instead.
      onDragOver={(event) => event.preventDefault()}
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
          // The same file may be chosen once more.
          target.value = ''
        }}
      />
    </div>
  )
}
