import type { Project } from '@pult/contract'
import { Button, Dialog } from '@pult/ui'
import { formatInstant } from '../format-instant.ts'
import styles from './EditConflict.module.css'
import { texts } from './edit-conflict.texts.ts'

interface EditConflictProps {
  /** The record as it is now; null while nothing has to be decided. */
  current: Pick<Project, 'updatedAt' | 'updatedBy'> | null
  /** What stands against each other. */
  theirs: string
  mine: string
  pending: boolean
  onTakeTheirs: () => void
  onKeepMine: () => void
  /** Esc: decides nothing, what was typed stays. */
  onClose: () => void
}

/** Somebody else has saved what one is editing: says who and when, and leaves the choice. */
export function EditConflict(props: EditConflictProps) {
  const { current, theirs, mine, pending, onTakeTheirs, onKeepMine, onClose } = props
  return (
    <Dialog
      open={current !== null}
      title={texts.title}
      onClose={onClose}
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
      {current && <p>{saidBy(current)}</p>}
      <dl className={styles.versions}>
        <dt>{texts.theirs}</dt>
        <dd>{theirs}</dd>
        <dt>{texts.mine}</dt>
        <dd>{mine}</dd>
      </dl>
    </Dialog>
  )
}

function saidBy({ updatedAt, updatedBy }: NonNullable<EditConflictProps['current']>): string {
  const at = formatInstant(updatedAt)
  return updatedBy === null
    ? texts.changedAt(at)
    : texts.changedBy(`${updatedBy.firstname} ${updatedBy.lastname}`, at)
}
