import type { ReactNode } from 'react'
import { DialogActions } from './DialogActions.tsx'
import { type DialogSize, ModalFrame } from './ModalFrame.tsx'

export interface DialogProps {
  open: boolean
  /** The dialog's heading, and its name for screen readers. */
  title: ReactNode
  /** Esc. The caller closes it, or asks first when there is unsaved input. A press outside does nothing. */
  onClose: () => void
  children: ReactNode
  /** Buttons. A form inside brings its own `DialogActions` instead, so that its submit button belongs to it. */
  footer?: ReactNode
  /** Default: `sm`. */
  size?: DialogSize | undefined
}

/**
 * A step aside that the page waits for, such as a short form. On a narrow screen it is a sheet at the bottom. Keeps the
 * focus inside and gives it back when closed; what has `autoFocus` in it starts with the focus.
 *
 * For a question with two answers there is {@link ConfirmDialog}.
 */
export function Dialog({ open, title, onClose, children, footer, size = 'sm' }: DialogProps) {
  return (
    <ModalFrame role="dialog" size={size} sheet open={open} title={title} onDismiss={onClose}>
      {children}
      {footer !== undefined && <DialogActions>{footer}</DialogActions>}
    </ModalFrame>
  )
}
