import type { ComponentProps } from 'react'
import { Tooltip as AriaTooltip, Focusable, TooltipTrigger } from 'react-aria-components/Tooltip'
import { AriaEnvironment } from '../provider/AriaEnvironment.tsx'
import { Kbd } from '../text/Kbd.tsx'
import type { Shortcut } from '../text/shortcut.ts'
import styles from './Tooltip.module.css'

export interface TooltipProps {
  text: string
  shortcut?: Shortcut | undefined
  /** Set it while the element is disabled. */
  disabled?: boolean | undefined
  placement?: 'top' | 'bottom' | 'start' | 'end' | undefined
  /** One focusable element that takes a ref and spreads its props onto the DOM: a Button, a link, an `<input>`. */
  children: ComponentProps<typeof Focusable>['children']
}

/** A short explanation on hover (after a moment) and on keyboard focus; Esc closes it. Never on touch. */
export function Tooltip({ text, shortcut, disabled = false, placement = 'bottom', children }: TooltipProps) {
  return (
    <AriaEnvironment>
      <TooltipTrigger delay={500} closeDelay={80}>
        <Focusable isDisabled={disabled}>{children}</Focusable>
        <AriaTooltip
          className={styles.tooltip ?? ''}
          placement={placement}
          offset={6}
          // The trigger's aria-describedby still reads it; at the end of the page it would be met a second time.
          render={(props) => <div {...props} aria-hidden="true" />}
        >
          {text}
          {shortcut !== undefined && <Kbd keys={shortcut} />}
        </AriaTooltip>
      </TooltipTrigger>
    </AriaEnvironment>
  )
}
