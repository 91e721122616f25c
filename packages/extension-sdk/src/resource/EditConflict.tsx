import { Button, Dialog, formatInstant } from '@pult/ui'
import styles from './EditConflict.module.css'
import { type ScaffoldTexts, useResourceTexts } from './resource.texts.ts'

interface Changed {
  updatedAt?: string
  /** Nobody: the installation did it, or the person is gone. */
  updatedBy?: { firstname: string; lastname: string } | null
}

interface Versions {
  /** What the field is called. */
  label: string
  theirs: string
  mine: string
}

export interface EditConflictProps {
  /** Who has changed the record as it is now, and when; null while nothing has to be decided. */
  current: Changed | null
  /** What stands against each other, by field. */
  versions: readonly Versions[]
  pending: boolean
  onTakeTheirs: () => void
  onKeepMine: () => void
  /** Esc: decides nothing, what was typed stays. */
  onClose: () => void
}

/** Somebody else has saved what one is editing: says who and when, and leaves the choice. */
export function EditConflict(props: EditConflictProps) {
  const { current, versions, pending, onTakeTheirs, onKeepMine, onClose } = props
  const { conflict: texts } = useResourceTexts()
  return (
    <Dialog
      open={current !== null}
      title={texts.title}
      onClose={onClose}
      size="md"
      footer={
        <>
          <Button onClick={onTakeTheirs} disabled={pending}>
            {texts.takeTheirs}
          </Button>
          <Button variant="primary" onClick={onKeepMine} pending={pending}>
            {texts.keepMine}
          </Button>
        </>
      }
    >
      {current && <p>{saidBy(current, texts)}</p>}
      {versions.map(({ label, theirs, mine }) => (
        <section key={label} className={styles.field}>
          <h3 className={styles.label}>{label}</h3>
          <dl className={styles.versions}>
            <dt>{texts.theirs}</dt>
            <dd>{theirs}</dd>
            <dt>{texts.mine}</dt>
            <dd>{mine}</dd>
          </dl>
        </section>
      ))}
    </Dialog>
  )
}

function saidBy({ updatedAt, updatedBy }: Changed, texts: ScaffoldTexts['conflict']): string {
  if (updatedAt === undefined) return texts.changed
  const at = formatInstant(updatedAt)
  return updatedBy ? texts.changedBy(`${updatedBy.firstname} ${updatedBy.lastname}`, at) : texts.changedAt(at)
}
