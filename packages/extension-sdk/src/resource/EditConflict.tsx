import { Button, Dialog, formatInstant } from '@pult/ui'
import styles from './EditConflict.module.css'
import { type ScaffoldTexts, useResourceTexts } from './resource.texts.ts'

interface Changed {
  updatedAt?: string
  /** Null if the installation made the change, or if the account was deleted. */
  updatedBy?: { firstname: string; lastname: string } | null
}

interface Versions {
  /** The field's label. */
  label: string
  theirs: string
  mine: string
}

export interface EditConflictProps {
  /** The last editor and time; null without a conflict. */
  current: Changed | null
  /** The conflicting values by field. */
  versions: readonly Versions[]
  pending: boolean
  onTakeTheirs: () => void
  onKeepMine: () => void
  /** Called on Esc, which decides nothing and keeps the input. */
  onClose: () => void
}

/** Shows who has saved the record meanwhile and when, and offers both versions. */
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
      {current && <p>{changeText(current, texts)}</p>}
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

function changeText({ updatedAt, updatedBy }: Changed, texts: ScaffoldTexts['conflict']): string {
  if (updatedAt === undefined) return texts.changed
  const at = formatInstant(updatedAt)
  return updatedBy ? texts.changedBy(`${updatedBy.firstname} ${updatedBy.lastname}`, at) : texts.changedAt(at)
}
