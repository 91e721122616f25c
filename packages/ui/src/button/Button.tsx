import type { ComponentProps, MouseEvent } from 'react'
import { classNames } from '../class-names.ts'
import { Spinner } from '../feedback/Spinner.tsx'
import { ariaKeyShortcuts, hasAppleKeyboard, type Shortcut } from '../text/shortcut.ts'
import { VisuallyHidden } from '../text/VisuallyHidden.tsx'
import styles from './Button.module.css'
import { ButtonContent, type ButtonLook } from './ButtonContent.tsx'

export interface ButtonProps extends ComponentProps<'button'>, ButtonLook {
  /**
   * Set while the action runs. A spinner replaces the label after 0.2 s, width and focus stay, and clicks and Enter
   * have no effect.
   */
  pending?: boolean | undefined
  /** Announced to screen readers while pending ("Signing in"). */
  pendingLabel?: string | undefined
  /** A hint on the button, `Mod+S`. The caller handles the keys. Hidden on touch devices. */
  shortcut?: Shortcut | undefined
}

/**
 * Renders a native button: the browser handles keyboard, form submission and focus. Takes every attribute of
 * `<button>`; `type` is `button` by default.
 *
 * @example <Button type="submit" variant="primary" pending={saving} shortcut="Mod+S">Save</Button>
 */
export function Button({
  variant = 'secondary',
  icon,
  pending = false,
  pendingLabel,
  shortcut,
  className,
  children,
  onClick,
  type = 'button',
  ...rest
}: ButtonProps) {
  // aria-disabled instead of disabled: a disabled button would lose the focus when it is pressed.
  const ignoreClick = (event: MouseEvent) => event.preventDefault()
  return (
    <>
      <button
        type={type}
        className={classNames(styles.button, className)}
        data-variant={variant}
        data-pending={pending || undefined}
        aria-disabled={pending || undefined}
        aria-keyshortcuts={shortcut && ariaKeyShortcuts(shortcut, hasAppleKeyboard())}
        onClick={pending ? ignoreClick : onClick}
        {...rest}
      >
        <ButtonContent icon={icon} shortcut={shortcut}>
          {children}
        </ButtonContent>
        {pending && (
          <span className={styles.spinner}>
            <Spinner />
          </span>
        )}
      </button>
      {pendingLabel !== undefined && <VisuallyHidden role="status">{pending && pendingLabel}</VisuallyHidden>}
    </>
  )
}
