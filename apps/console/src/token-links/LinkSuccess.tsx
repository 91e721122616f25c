import { ButtonLink } from '@pult/ui'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useRef } from 'react'
import styles from './TokenLinks.module.css'

interface LinkSuccessProps {
  title: string
  text: string
  /** A page of the console, which asks for a sign-in if necessary. */
  href: string
  /** The label of the link to it. */
  action: string
}

/** The result of a redeemed link. It replaces the form, so it takes the focus. */
export function LinkSuccess({ title, text, href, action }: LinkSuccessProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div className={styles.form}>
      <h1 ref={heading} tabIndex={-1} className={styles.success}>
        <CircleCheck aria-hidden="true" />
        {title}
      </h1>
      <p className={styles.lead}>{text}</p>
      <ButtonLink href={href} variant="primary">
        {action}
      </ButtonLink>
    </div>
  )
}
