import type { ComponentProps } from 'react'
import { Focusable, Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'
import { AriaEnvironment } from '../provider/AriaEnvironment.tsx'
import { Kbd } from '../text/Kbd.tsx'
import type { Shortcut } from '../text/shortcut.ts'
import styles from './Tooltip.module.css'

export interface TooltipProps {
  text: string
  shortcut?: Shortcut | undefined
  placement?: 'top' | 'bottom' | 'start' | 'end' | undefined
  /** One focusable element that takes a ref and spreads its props onto the DOM: a Button, a link, an `<input>`. */
  children: ComponentProps<typeof Focusable>['children']
}

/** A short explanation on hover (after a moment) and on keyboard focus; Esc closes it. Never on touch. */
export function Tooltip({ text, shortcut, placement = 'bottom', children }: TooltipProps) {
  return (
    <AriaEnvironment>
      <TooltipTrigger delay={500} closeDelay={80}>
        <Focusable>{children}</Focusable>
        <AriaTooltip className={styles.tooltip ?? ''} placement={placement} offset={6}>
          {text}
          {shortcut !== undefined && <Kbd keys={shortcut} />}
        </AriaTooltip>
      </TooltipTrigger>
    </AriaEnvironment>
  )
}
