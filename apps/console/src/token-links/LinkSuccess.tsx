import { ButtonLink } from '@pult/ui'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useRef } from 'react'
import styles from './TokenLinks.module.css'
import { texts } from './token-links.texts.ts'

/** Takes the form's place, so it takes the focus as well. */
export function LinkSuccess({ title, email }: { title: string; email: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <div className={styles.form}>
      <h1 ref={heading} tabIndex={-1} className={styles.success}>
        <CircleCheck aria-hidden="true" />
        {title}
      </h1>
      <p className={styles.lead}>{texts.signedInAs(email)}</p>
      <ButtonLink href="/" variant="primary">
        {texts.toConsole}
      </ButtonLink>
    </div>
  )
}
