import { ButtonLink, Card, EmptyState, Page } from '@pult/ui'
import Compass from 'lucide-react/icons/compass'
import { useLocation } from 'react-router'
import { usePageTitle } from '#platform/page-title.ts'
import { texts } from './shell.texts.ts'

export function NotFoundPage() {
  usePageTitle(texts.notFound)
  const { pathname } = useLocation()
  return (
    <Page width="reading">
      <Card>
        <EmptyState
          level={1}
          icon={<Compass aria-hidden="true" />}
          title={texts.notFound}
          text={texts.notFoundText(pathname)}
          action={
            <ButtonLink variant="primary" href="/">
              {texts.toHome}
            </ButtonLink>
          }
        />
      </Card>
    </Page>
  )
}
