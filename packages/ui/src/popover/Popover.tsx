import type { ReactNode, RefObject } from 'react'
import { Popover as AriaPopover, Dialog } from 'react-aria-components/Popover'
import { AriaEnvironment } from '../provider/AriaEnvironment.tsx'
import styles from './Popover.module.css'

export interface PopoverProps {
  /** The button that opens it: the popover appears below it and returns the focus to it. */
  anchor: RefObject<HTMLElement | null>
  open: boolean
  /** Names it for screen readers. */
  label: string
  /** Esc, or a press outside. */
  onClose: () => void
  placement?: 'bottom start' | 'bottom end' | undefined
  children: ReactNode
}

/**
 * A small surface beside its button that closes when the user continues elsewhere. Use Dialog for a step that must be
 * answered.
 */
export function Popover({ anchor, open, label, onClose, placement = 'bottom end', children }: PopoverProps) {
  return (
    <AriaEnvironment>
      <AriaPopover
        className={styles.popover ?? ''}
        triggerRef={anchor}
        isOpen={open}
        onOpenChange={(isOpen) => !isOpen && onClose()}
        placement={placement}
        offset={6}
        shouldCloseOnInteractOutside={isElsewhere}
      >
        <Dialog className={styles.dialog ?? ''} aria-label={label}>
          {children}
        </Dialog>
      </AriaPopover>
    </AriaEnvironment>
  )
}

/** A question that was asked from inside is no other place, and neither is a message. */
const isElsewhere = (element: Element) => element.closest('[role=alertdialog]') === null
