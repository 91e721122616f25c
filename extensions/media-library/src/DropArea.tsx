import Upload from 'lucide-react/icons/upload'
import type { DragEvent, ReactNode } from 'react'
import styles from './library.module.css'
import { texts } from './media.texts.ts'

interface DropAreaProps {
  disabled: boolean
  onDrop: (files: File[]) => void
  children: ReactNode
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

/** Accepts files dropped on the page. The button offers the same actions. */
export function DropArea({ disabled, onDrop, children }: DropAreaProps) {
  if (disabled) return <div className={styles.page}>{children}</div>
  return (
    <div
      className={styles.page}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        onDrop([...event.dataTransfer.files])
      }}
    >
      {children}
      <div className={styles.drop} aria-hidden="true">
        <Upload />
        <strong>{texts.dropHere}</strong>
        <span>{texts.dropText}</span>
      </div>
    </div>
  )
}
