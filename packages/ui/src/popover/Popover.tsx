import type { ReactNode, RefObject } from 'react'
import { Popover as AriaPopover, Dialog } from 'react-aria-components/Popover'
import { useBackCloses } from '../dialog/use-back-closes.ts'
import { AriaEnvironment } from '../provider/AriaEnvironment.tsx'
import styles from './Popover.module.css'

export interface PopoverProps {
  /** The button that opens the popover. The popover appears below it and returns the focus to it. */
  anchor: RefObject<HTMLElement | null>
  open: boolean
  /** Accessible name of the popover. */
  label: string
  /** Called on Esc, on the way back of a phone and on a press outside. */
  onClose: () => void
  placement?: 'bottom start' | 'bottom end' | undefined
  children: ReactNode
}

/**
 * Renders a small surface beside its button. It closes when the user continues elsewhere. Use Dialog for a step that
 * the user must answer.
 */
export function Popover({ anchor, open, label, onClose, placement = 'bottom end', children }: PopoverProps) {
  useBackCloses(open, onClose)
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

/** Confirmation dialogs and toasts do not count as elsewhere: the popover stays open behind them. */
const isElsewhere = (element: Element) => element.closest('[role=alertdialog]') === null
