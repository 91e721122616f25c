import { type ReactNode, use, useLayoutEffect, useMemo, useState } from 'react'
import { ConfirmDialog } from './ConfirmDialog.tsx'
import { DialogActions } from './DialogActions.tsx'
import { type DialogSize, ModalFrame } from './ModalFrame.tsx'
import { UnsavedInputContext, UnsavedInputProvider } from './unsaved-input.ts'

export interface DialogProps {
  open: boolean
  /** The dialog's heading, and its name for screen readers. */
  title: ReactNode
  /**
   * Called on Esc and on the way back of a phone, with unsaved input after the user has agreed. The caller closes the
   * dialog. A press outside has no effect.
   */
  onClose: () => void
  /** Set while a form inside has unsaved input: Esc, going back and leaving the page then ask for confirmation. */
  unsaved?: boolean | undefined
  children: ReactNode
  /** Buttons. A form inside renders its own `DialogActions` instead, so that its submit button belongs to it. */
  footer?: ReactNode
  /** Default: `sm`. */
  size?: DialogSize | undefined
}

/**
 * Renders a modal dialog, such as a short form. On a narrow screen it is a sheet at the bottom. It traps the focus and
 * restores it when closed; an element with `autoFocus` gets the initial focus.
 *
 * Use {@link ConfirmDialog} for a question with two answers.
 *
 * @example <Dialog open title="New cue" unsaved={label !== ''} onClose={close}>…</Dialog>
 */
export function Dialog({
  open,
  title,
  onClose,
  unsaved = false,
  children,
  footer,
  size = 'sm',
}: DialogProps) {
  const guard = use(UnsavedInputContext)
  const [held, setHeld] = useState(0)
  // Esc also asks about the input of the fields inside.
  const guardInside = useMemo(
    () =>
      guard && {
        ...guard,
        hold: () => {
          const release = guard.hold()
          setHeld((count) => count + 1)
          return () => {
            release()
            setHeld((count) => count - 1)
          }
        },
      },
    [guard],
  )
  const [asks, setAsks] = useState(false)
  const isAtRisk = open && (unsaved || held > 0) && guard !== null
  // The input has been saved meanwhile, or the caller has closed the dialog.
  if (asks && !isAtRisk) setAsks(false)
  // A layout effect releases the guard before the next paint: a user who sees the page again must be able to leave it.
  useLayoutEffect(() => (isAtRisk ? guard.hold() : undefined), [guard, isAtRisk])

  return (
    <ModalFrame
      role="dialog"
      size={size}
      sheet
      open={open}
      title={title}
      onDismiss={isAtRisk ? () => setAsks(true) : onClose}
    >
      <UnsavedInputProvider value={guardInside}>{children}</UnsavedInputProvider>
      {footer !== undefined && <DialogActions>{footer}</DialogActions>}
      {guard !== null && (
        <ConfirmDialog
          open={asks}
          title={guard.question.title}
          confirmLabel={guard.question.discardLabel}
          cancelLabel={guard.question.keepLabel}
          destructive
          onConfirm={onClose}
          onCancel={() => setAsks(false)}
        >
          {guard.question.text}
        </ConfirmDialog>
      )}
    </ModalFrame>
  )
}
