import { type ReactNode, useEffect, useRef } from 'react'
import { Button, type ButtonProps } from '../button/Button.tsx'
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
  /** Set while the confirmed action runs: both buttons are disabled, and the dialog stays open. */
  pending?: boolean | undefined
  /** The error of the confirmed action. The dialog stays open for another attempt. */
  error?: ReactNode
  /** Called on confirmation. The caller closes the dialog, immediately or when its action is done. */
  onConfirm: () => void
  /** Called on Cancel and Esc. A press outside has no effect. */
  onCancel: () => void
}

/** Asks for confirmation. Traps the focus and restores it when closed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, confirmLabel, cancelLabel, onConfirm, onCancel, error } = props
  const { destructive = false, pending = false } = props
  const [Cancel, Confirm] = destructive ? [FocusedButton, Button] : [Button, FocusedButton]
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
        <Cancel onClick={onCancel} disabled={pending}>
          {cancelLabel}
        </Cancel>
        <Confirm variant={destructive ? 'danger' : 'primary'} onClick={onConfirm} pending={pending}>
          {confirmLabel}
        </Confirm>
      </DialogActions>
    </ModalFrame>
  )
}

/** Takes the focus in an effect, because a dialog below takes it back from an element with `autoFocus`. */
function FocusedButton(props: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return <Button ref={button} {...props} />
}
