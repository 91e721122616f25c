import { Button, Card, EmptyState } from '@pult/ui'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect, useRef } from 'react'
import { useRouteError } from 'react-router'
import { usePageTitle } from '#platform/page-title.ts'
import { hasUnsavedInput } from '#platform/unsaved-input/unsaved-input.ts'
import { texts } from './shell.texts.ts'
import { useConnectionTrouble } from './use-connection-trouble.ts'

/**
 * Replaces a page that failed while the surrounding frame keeps working. Without a connection the failure counts as a
 * page that could not load, and it reloads when the connection is back.
 */
export function PageError() {
  const isOffline = useConnectionTrouble() !== null
  const wasOffline = useRef(false)
  const title = isOffline ? texts.offline : texts.pageFailed
  usePageTitle(title)
  const error = useRouteError()
  useEffect(() => {
    // Browsers may cache a failed module fetch until the document is reloaded.
    if (wasOffline.current && !isOffline && !hasUnsavedInput()) location.reload()
    wasOffline.current = isOffline
  }, [isOffline])
  useEffect(() => reportError(error), [error])
  return (
    <Card role="alert">
      <EmptyState
        level={1}
        icon={<TriangleAlert aria-hidden="true" />}
        title={title}
        text={isOffline ? texts.offlinePage : texts.pageFailedText}
        action={
          <Button variant="primary" onClick={() => location.reload()}>
            {texts.reloadPage}
          </Button>
        }
      />
    </Card>
  )
}
