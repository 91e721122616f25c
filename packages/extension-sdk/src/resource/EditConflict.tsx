import { Button, Dialog, formatInstant } from '@pult/ui'
import styles from './EditConflict.module.css'
import { type ScaffoldTexts, useResourceTexts } from './resource.texts.ts'

interface Changed {
  updatedAt?: string
  /** Null: the installation made the change, or the account is gone. */
  updatedBy?: { firstname: string; lastname: string } | null
}

interface Versions {
  /** The field's label. */
  label: string
  theirs: string
  mine: string
}

export interface EditConflictProps {
  /** The last editor and time; null while there is nothing to decide. */
  current: Changed | null
  /** The conflicting values by field. */
  versions: readonly Versions[]
  pending: boolean
  onTakeTheirs: () => void
  onKeepMine: () => void
  /** Esc: decides nothing, the input stays. */
  onClose: () => void
}

/** Shows that another user has saved the record in the meantime, with name and time, and offers the choice. */
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
