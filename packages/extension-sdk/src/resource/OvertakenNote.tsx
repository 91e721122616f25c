import TriangleAlert from 'lucide-react/icons/triangle-alert'
import styles from './RecordForm.module.css'
import { texts } from './resource.texts.ts'
import type { RecordItem } from './resource-view.ts'

/** Below a field that somebody else has changed since one began to type in it. */
export function OvertakenNote({ by }: { by: RecordItem['updatedBy'] }) {
  return (
    <span className={styles.overtaken}>
      <TriangleAlert aria-hidden="true" />
      <span>{by ? texts.overtakenBy(`${by.firstname} ${by.lastname}`) : texts.overtaken}</span>
    </span>
  )
}
