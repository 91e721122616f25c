import { classNames } from '../class-names.ts'
import { type AnchorProps, useAnchor } from '../link/anchor.ts'
import styles from './Button.module.css'
import { ButtonContent, type ButtonLook } from './ButtonContent.tsx'

/** A link in a button's clothes, for going somewhere. Navigates like {@link Link}. */
export function ButtonLink({
  variant = 'secondary',
  icon,
  className,
  children,
  ...rest
}: AnchorProps & ButtonLook) {
  return (
    <a className={classNames(styles.button, className)} data-variant={variant} {...useAnchor(rest)}>
      <ButtonContent icon={icon}>{children}</ButtonContent>
    </a>
  )
}
