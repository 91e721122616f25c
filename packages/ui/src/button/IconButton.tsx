import type { ComponentProps, ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { ariaKeyShortcuts, hasAppleKeyboard, type Shortcut } from '../text/shortcut.ts'
import { Tooltip, type TooltipProps } from '../tooltip/Tooltip.tsx'
import styles from './IconButton.module.css'

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'aria-label' | 'children'> {
  /** The accessible name; also the tooltip. */
  label: string
  /** From `lucide-react/icons/…`. */
  icon: ReactNode
  /** A Badge on the icon's corner. Include its meaning in `label`. */
  badge?: ReactNode
  variant?: 'ghost' | 'secondary' | undefined
  shortcut?: Shortcut | undefined
  tooltipPlacement?: TooltipProps['placement']
}

/** Renders a square button that shows only an icon. Takes every attribute of `<button>`. */
export function IconButton({
  label,
  icon,
  badge,
  variant = 'ghost',
  shortcut,
  tooltipPlacement,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut} placement={tooltipPlacement}>
      <button
        type="button"
        className={classNames(styles.button, className)}
        data-variant={variant}
        aria-label={label}
        aria-keyshortcuts={shortcut && ariaKeyShortcuts(shortcut, hasAppleKeyboard())}
        {...rest}
      >
        {icon}
        {badge !== undefined && (
          <span className={styles.badge} aria-hidden="true">
            {badge}
          </span>
        )}
      </button>
    </Tooltip>
  )
}
