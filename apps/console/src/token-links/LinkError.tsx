import { Button, ButtonLink } from '@pult/ui'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { ApiError, messageOf } from '#platform/api-error.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { Stage } from '#platform/stage/Stage.tsx'
import styles from './TokenLinks.module.css'
import { texts } from './token-links.texts.ts'

/** A full page with the link's error and the next step. */
export function LinkError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const message = messageOf(error)
  usePageTitle(message)
  const isOver = error instanceof ApiError && error.code === 'LINK_NOT_VALID'
  return (
    <Stage>
      <div className="stage-page" role="alert">
        <TriangleAlert className={styles.warning} aria-hidden="true" />
        <h1>{message}</h1>
        {isOver && <p className={styles.lead}>{texts.newLink}</p>}
        {isOver ? (
          <ButtonLink href="/">{texts.toLogin}</ButtonLink>
        ) : (
          <Button onClick={onRetry}>{texts.retry}</Button>
        )}
      </div>
    </Stage>
  )
}
