import { Button, Card, EmptyState } from '@pult/ui'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { usePageTitle } from '#platform/page-title.ts'
import { texts } from './shell.texts.ts'

/** In the place of a page whose code failed; the frame around it goes on working. */
export function PageError() {
  usePageTitle(texts.pageFailed)
  const error = useRouteError()
  useEffect(() => reportError(error), [error])
  return (
    <Card role="alert">
      <EmptyState
        level={1}
        icon={<TriangleAlert aria-hidden="true" />}
        title={texts.pageFailed}
        text={texts.pageFailedText}
        action={
          <Button variant="primary" onClick={() => location.reload()}>
            {texts.reloadPage}
          </Button>
        }
      />
    </Card>
  )
}
