import type { Organisation } from '@pult/contract'
import { Loaded } from '@pult/sdk/resource'
import { Awaited, ButtonLink, Card, EmptyState, Page, PageHead } from '@pult/ui'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Building2 from 'lucide-react/icons/building-2'
import { type ComponentType, Suspense, useState } from 'react'
import { Navigate, useParams } from 'react-router'
import { usePageTitle } from '#platform/page-title.ts'
import { Invitations } from './Invitations.tsx'
import { LabelForm } from './LabelForm.tsx'
import { Members } from './Members.tsx'
import styles from './Organisations.module.css'
import { useOrganisation } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'
import { ReadOnlyLabel } from './ReadOnlyLabel.tsx'

export interface OrganisationPageProps {
  /** The projects of an organisation with their state. */
  Projects: ComponentType<{ orgId: string }>
  /** The cards that apps add. */
  Cards: ComponentType<{ place: 'organisation'; id: string }>
}

/** One organisation with its projects and members. Its owner and root can edit it. Other members can only read it. */
export function OrganisationPage({ Projects, Cards }: OrganisationPageProps) {
  const { orgId = '' } = useParams()
  const [isLeft, setLeft] = useState(false)
  const query = useOrganisation(orgId, isLeft)
  if (isLeft) return <Navigate to="/orgs" />
  return (
    <Loaded query={query} failed={texts.oneLoadingFailed} gone={<Gone />}>
      {(organisation) => (
        <Found
          key={orgId}
          organisation={organisation}
          onLeft={() => setLeft(true)}
          {...{ Projects, Cards }}
        />
      )}
    </Loaded>
  )
}

interface FoundProps extends OrganisationPageProps {
  organisation: Organisation
  /** The organisation was deleted, or the user has left it. */
  onLeft: () => void
}

function Found({ organisation, onLeft, Projects, Cards }: FoundProps) {
  usePageTitle(organisation.label)
  const isEditor = organisation.access !== 'member'
  return (
    <Page
      width="data"
      head={
        <PageHead
          title={organisation.label}
          actions={
            <ButtonLink variant="ghost" href="/orgs" icon={<ArrowLeft aria-hidden="true" />}>
              {texts.back}
            </ButtonLink>
          }
        />
      }
    >
      <div className={styles.form}>
        {isEditor ? (
          <LabelForm organisation={organisation} onDeleted={onLeft} />
        ) : (
          <ReadOnlyLabel organisation={organisation} />
        )}
      </div>
      <Suspense fallback={<Awaited height="160px" />}>
        <Projects orgId={organisation._id} />
      </Suspense>
      <Cards place="organisation" id={organisation._id} />
      <Members organisation={organisation} onLeft={onLeft} />
      {isEditor && <Invitations orgId={organisation._id} />}
    </Page>
  )
}

function Gone() {
  usePageTitle(texts.gone)
  return (
    <Card>
      <EmptyState
        level={1}
        icon={<Building2 aria-hidden="true" />}
        title={texts.gone}
        text={texts.goneText}
        action={
          <ButtonLink variant="primary" href="/orgs">
            {texts.back}
          </ButtonLink>
        }
      />
    </Card>
  )
}
