import { Button, ButtonLink, Card, EmptyState, Page, Skeleton } from '@pult/ui'
import Info from 'lucide-react/icons/info'
import { messageOf } from '#platform/api-error.ts'
import { usePublicSettings } from '#platform/public-settings.queries.ts'
import { useCredentials } from '#platform/use-credentials.ts'
import { texts as pageTexts } from '../pages/pages.texts.ts'
import styles from './InstallationPage.module.css'
import { type InstallationPageName, installationPages } from './installation-pages.ts'
import { texts } from './shell.texts.ts'

/** The fallback for Contact, Privacy or Imprint without a configured address. */
export function InstallationPage({ name }: { name: InstallationPageName }) {
  const title = pageTexts.labels[name]
  const { urlOf, setting } = installationPages[name]
  const { isRoot } = useCredentials()
  const { data: settings, error, refetch } = usePublicSettings()
  const url = settings && urlOf(settings)

  const state = () => {
    if (error) {
      const retry = <Button onClick={() => void refetch()}>{texts.retry}</Button>
      return { text: `${texts.settingsFailed}: ${messageOf(error)}`, action: retry }
    }
    if (url === undefined) return { text: <Skeleton width="32ch" /> }
    if (url === null) {
      return {
        text: texts.unsetText(location.host),
        ...(isRoot && { action: <p className={styles.hint}>{texts.unsetForRoot(setting)}</p> }),
      }
    }
    const open = (
      <ButtonLink variant="primary" href={url} external={url.startsWith('http')}>
        {texts.open(title)}
      </ButtonLink>
    )
    return { text: texts.elsewhere, action: open }
  }

  return (
    <Page width="reading">
      <Card>
        <EmptyState level={1} icon={<Info aria-hidden="true" />} title={title} {...state()} />
      </Card>
    </Page>
  )
}
