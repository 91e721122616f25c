import { systemEndpoints } from '@pult/contract'
import { Button, Card, EmptyState, Page } from '@pult/ui'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useEffect, useState } from 'react'
import { useRouteError } from 'react-router'
import { api } from '#platform/api.ts'
import { ApiError } from '#platform/api-error.ts'
import {
  checkServer,
  isFailedLoad,
  reloadForCode,
  reloadWithoutLoss,
  useOnAnswer,
  useOnReturn,
} from '#platform/failed-load.ts'
import { isProxySignInDue } from '#platform/foreign-answer.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { publicPlace } from '#platform/public-url.ts'
import { connection } from '#platform/realtime.ts'
import { openDocument } from '#platform/storage.ts'
import { useStore } from '#platform/use-store.ts'
import { texts } from './shell.texts.ts'
import { useConnectionTrouble } from './use-connection-trouble.ts'

/**
 * Replaces a page that failed while the surrounding frame keeps working. Without a connection, every failure counts as
 * a failed load, and the page reloads when the connection is back. A single lost file leaves the connection open, so
 * after a failed load the page also reloads when the server responds to a call.
 */
export function PageError() {
  const error = useRouteError()
  const isConnected = useStore(connection) === 'ready'
  const isUnreachable = useUnreachable()
  // At another address than the public one, the connection never opens.
  const isOffline = isUnreachable || (!isConnected && publicPlace === null && isFailedLoad(error))
  useOnReturn(isOffline, reloadWithoutLoss)
  useOnAnswer(isFailedLoad(error), reloadForCode)
  const isSignInDue = useStore(isProxySignInDue)
  const title = isSignInDue ? texts.proxySignIn : isOffline ? texts.offline : texts.pageFailed
  usePageTitle(title)
  useEffect(() => {
    reportError(error)
    // A failed load of code does not contain its reason.
    if (isFailedLoad(error)) checkServer()
  }, [error])
  return (
    <Page width="reading">
      <Card role="alert">
        <EmptyState
          level={1}
          icon={<TriangleAlert aria-hidden="true" />}
          title={title}
          text={isSignInDue ? texts.proxySignInText : isOffline ? texts.offlinePage : texts.pageFailedText}
          action={
            <Button variant="primary" onClick={() => openDocument()}>
              {texts.reloadPage}
            </Button>
          }
        />
      </Card>
    </Page>
  )
}

/**
 * Returns whether the server answers no call either. Behind a proxy without WebSockets, or at another address than the
 * public one, only the live connection fails.
 */
function useUnreachable(): boolean {
  const isSuspected = useConnectionTrouble() !== null && publicPlace === null
  const [isUnreachable, setUnreachable] = useState(false)
  useEffect(() => {
    if (!isSuspected) return undefined
    const leaving = new AbortController()
    api(systemEndpoints.live, { background: true, signal: leaving.signal }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'NETWORK') setUnreachable(true)
    })
    return () => {
      leaving.abort()
      setUnreachable(false)
    }
  }, [isSuspected])
  return isUnreachable
}
