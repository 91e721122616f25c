import { classNames } from '../class-names.ts'
import { type AnchorProps, useAnchor } from '../link/anchor.ts'
import { ariaKeyShortcuts, hasAppleKeyboard, type Shortcut } from '../text/shortcut.ts'
import styles from './Button.module.css'
import { ButtonContent, type ButtonLook } from './ButtonContent.tsx'

export interface ButtonLinkProps extends AnchorProps, ButtonLook {
  /** A hint on the link, as on a `Button`; listening for the keys is the caller's work. */
  shortcut?: Shortcut | undefined
}

/** A link in a button's clothes, for going somewhere. Navigates like {@link Link}. */
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
