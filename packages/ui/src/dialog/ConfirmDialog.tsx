import type { ReactNode } from 'react'
import { Button } from '../button/Button.tsx'
import { Alert } from '../feedback/Alert.tsx'
import styles from './ConfirmDialog.module.css'
import { DialogActions } from './DialogActions.tsx'
import { ModalFrame } from './ModalFrame.tsx'

export interface ConfirmDialogProps {
  open: boolean
  /** The question ("Really delete?"). */
  title: string
  /** The subject, and the consequences that cannot be undone. */
  children?: ReactNode
  confirmLabel: string
  cancelLabel: string
  /** The confirm button turns red, and the focus starts on Cancel. */
  destructive?: boolean | undefined
  /** The confirmed action runs: both buttons wait, and the dialog stays. */
  pending?: boolean | undefined
  /** Why the confirmed action failed; the dialog stays open for another try. */
  error?: ReactNode
  /** The caller closes the dialog, at once or when its action is done. */
  onConfirm: () => void
  /** Cancel, or Esc. A press outside does nothing. */
  onCancel: () => void
}

/** Asks for confirmation. Traps the focus and restores it when closed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, confirmLabel, cancelLabel, onConfirm, onCancel, error } = props
  const { destructive = false, pending = false } = props
  return (
    <ModalFrame
      role="alertdialog"
      size="sm"
      open={open}
      title={title}
      onDismiss={onCancel}
      dismissDisabled={pending}
    >
      {children !== undefined && <div className={styles.text}>{children}</div>}
      {error !== undefined && <Alert tone="danger">{error}</Alert>}
      <DialogActions>
        <Button onClick={onCancel} disabled={pending} autoFocus={destructive}>
          {cancelLabel}
        </Button>
        <Button
          variant={destructive ? 'danger' : 'primary'}
          onClick={onConfirm}
          pending={pending}
          autoFocus={!destructive}
        >
          {confirmLabel}
        </Button>
      </DialogActions>
    </ModalFrame>
  )
}
