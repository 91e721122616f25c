import TriangleAlert from 'lucide-react/icons/triangle-alert'
import styles from './RecordForm.module.css'
import { useResourceTexts } from './resource.texts.ts'
import type { RecordItem } from './resource-view.ts'

/** Renders the note below a field that another user has changed since this user started to edit it. */
export function OvertakenNote({ by }: { by: RecordItem['updatedBy'] }) {
  const texts = useResourceTexts()
  return (
    <span className={styles.overtaken}>
      <TriangleAlert aria-hidden="true" />
      <span>{by ? texts.overtakenBy(`${by.firstname} ${by.lastname}`) : texts.overtaken}</span>
    </span>
  )
}
