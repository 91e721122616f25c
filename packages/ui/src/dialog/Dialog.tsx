import type { ReactNode } from 'react'
import { DialogActions } from './DialogActions.tsx'
import { type DialogSize, ModalFrame } from './ModalFrame.tsx'

export interface DialogProps {
  open: boolean
  /** The dialog's heading, and its name for screen readers. */
  title: ReactNode
  /** Called on Esc. The caller closes the dialog, or asks first if input is unsaved. A press outside has no effect. */
  onClose: () => void
  children: ReactNode
  /** Buttons. A form inside renders its own `DialogActions` instead, so that its submit button belongs to it. */
  footer?: ReactNode
  /** Default: `sm`. */
  size?: DialogSize | undefined
}

/**
 * A modal dialog, such as a short form. On a narrow screen it is a sheet at the bottom. It traps the focus and
 * restores it when closed; an element with `autoFocus` gets the initial focus.
 *
 * Use {@link ConfirmDialog} for a question with two answers.
 */
export function Dialog({ open, title, onClose, children, footer, size = 'sm' }: DialogProps) {
  return (
    <ModalFrame role="dialog" size={size} sheet open={open} title={title} onDismiss={onClose}>
      {children}
      {footer !== undefined && <DialogActions>{footer}</DialogActions>}
    </ModalFrame>
  )
}
