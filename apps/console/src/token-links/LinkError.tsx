import { Button, ButtonLink } from '@pult/ui'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect, useRef } from 'react'
import { ApiError, messageOf } from '#platform/api-error.ts'
import { needsReload } from '#platform/foreign-answer.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { Stage } from '#platform/stage/Stage.tsx'
import { openDocument } from '#platform/storage.ts'
import styles from './TokenLinks.module.css'
import { texts } from './token-links.texts.ts'

interface LinkErrorProps {
  error: unknown
  /** Whether a retry is running. The page stays, so that its button keeps the focus. */
  isRetrying?: boolean
  onRetry: () => void
}

/** A full page with the link's error and the next step. It replaces a form, so it takes the focus. */
export function LinkError({ error, isRetrying = false, onRetry }: LinkErrorProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const message = messageOf(error)
  usePageTitle(message)
  const isOver = error instanceof ApiError && error.code === 'LINK_NOT_VALID'
  return (
    <Stage>
      <div className="stage-page" role="alert">
        <TriangleAlert className={styles.warning} aria-hidden="true" />
        <h1 ref={heading} tabIndex={-1}>
          {message}
        </h1>
        {isOver && <p className={styles.lead}>{texts.newLink}</p>}
        {isOver ? (
          <ButtonLink href="/">{texts.toLogin}</ButtonLink>
        ) : (
          <Button
            pending={isRetrying}
            pendingLabel={texts.retrying}
            // Only a navigation leads to the sign-in page of a proxy.
            onClick={() => (needsReload(error) ? openDocument() : onRetry())}
          >
            {texts.retry}
          </Button>
        )}
      </div>
    </Stage>
  )
}
