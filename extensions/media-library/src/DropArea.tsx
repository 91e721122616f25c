import Upload from 'lucide-react/icons/upload'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
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
  // `dragenter` of a child fires before `dragleave` of its parent.
  const depth = useRef(0)
  const [isOver, setOver] = useState(false)
  const enter = (by: number) => {
    depth.current = Math.max(0, depth.current + by)
    setOver(depth.current > 0)
  }
  if (disabled) return <div className={styles.page}>{children}</div>
  return (
    <div
      className={styles.page}
      onDragEnter={(event) => hasFiles(event) && enter(1)}
      onDragLeave={(event) => hasFiles(event) && enter(-1)}
      onDragOver={(event) => hasFiles(event) && event.preventDefault()}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        enter(-depth.current)
        onDrop([...event.dataTransfer.files])
      }}
    >
      {children}
      {isOver && (
        <div className={styles.drop} aria-hidden="true">
          <Upload />
          <strong>{texts.dropHere}</strong>
          <span>{texts.dropText}</span>
        </div>
      )}
    </div>
  )
}
