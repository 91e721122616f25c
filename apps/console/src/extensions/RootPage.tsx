import { Card, EmptyState, PageHeader } from '@pult/ui'
import Shield from 'lucide-react/icons/shield'
import { Navigate } from 'react-router'
import { usePageTitle } from '#platform/page-title.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import { AppTiles } from './AppTiles.tsx'
import { texts } from './extensions.texts.ts'
import styles from './RootPage.module.css'
import { apps, isRootApp } from './registry.ts'

/** `/root`: the apps for the installation as a whole. */
export function RootPage() {
  usePageTitle(texts.rootTitle)
  const { isRoot } = useCredentials()
  const shown = useStore(apps).filter(isRootApp)
  if (!isRoot) return <Navigate to="/" replace />
  return (
    <div className={styles.page}>
      <PageHeader title={texts.rootTitle} description={texts.rootDescription} />
      {shown.length > 0 ? (
        <AppTiles apps={shown} label={texts.rootTitle} />
      ) : (
        <Card>
          <EmptyState icon={<Shield aria-hidden="true" />} title={texts.noRootApps} text="" />
        </Card>
      )}
    </div>
  )
}
