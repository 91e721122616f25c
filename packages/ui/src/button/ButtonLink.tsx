import { classNames } from '../class-names.ts'
import { type AnchorProps, useAnchor } from '../link/anchor.ts'
import { ariaKeyShortcuts, hasAppleKeyboard, type Shortcut } from '../text/shortcut.ts'
import styles from './Button.module.css'
import { ButtonContent, type ButtonLook } from './ButtonContent.tsx'

export interface ButtonLinkProps extends AnchorProps, ButtonLook {
  /** A hint on the link, as on a `Button`. The caller handles the keys. */
  shortcut?: Shortcut | undefined
}

/** Renders a link that looks like a button. Navigates like {@link Link}. */
export function ButtonLink({
  variant = 'secondary',
  icon,
  shortcut,
  className,
  children,
  ...rest
}: ButtonLinkProps) {
  return (
    <a
      className={classNames(styles.button, className)}
      data-variant={variant}
      aria-keyshortcuts={shortcut && ariaKeyShortcuts(shortcut, hasAppleKeyboard())}
      {...useAnchor(rest)}
    >
      <ButtonContent icon={icon} shortcut={shortcut}>
        {children}
      </ButtonContent>
    </a>
  )
}
