import type { ReactNode } from 'react'
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components/Modal'
import { AriaEnvironment } from '../provider/AriaEnvironment.tsx'
import styles from './ModalFrame.module.css'
import { useBackCloses } from './use-back-closes.ts'

/** `md` holds a form; `lg` holds a wider form, a picture or a list. */
export type DialogSize = 'sm' | 'md' | 'lg'

interface ModalFrameProps {
  open: boolean
  role: 'dialog' | 'alertdialog'
  title: ReactNode
  size: DialogSize
  /** On a narrow screen the dialog is a sheet at the bottom with the full width. */
  sheet?: boolean
  /** Called on Esc and on the way back of a phone. A press outside has no effect, because it would lose input. */
  onDismiss: () => void
  dismissDisabled?: boolean
  children: ReactNode
}

/** Renders the base of all dialogs: a titled layer over the page that traps the focus and restores it when closed. */
export function ModalFrame(props: ModalFrameProps) {
  const { open, role, title, size, sheet = false, onDismiss, dismissDisabled = false, children } = props
  useBackCloses(open, () => {
    if (!dismissDisabled) onDismiss()
  })
  return (
    <AriaEnvironment>
      <ModalOverlay
        className={styles.overlay ?? ''}
        data-sheet={sheet || undefined}
        isOpen={open}
        onOpenChange={onDismiss}
        isKeyboardDismissDisabled={dismissDisabled}
      >
        <Modal className={styles.modal ?? ''} data-size={size}>
          <Dialog role={role} className={styles.dialog ?? ''}>
            <Heading slot="title" className={styles.title ?? ''}>
              {title}
            </Heading>
            {children}
          </Dialog>
        </Modal>
      </ModalOverlay>
    </AriaEnvironment>
  )
}
