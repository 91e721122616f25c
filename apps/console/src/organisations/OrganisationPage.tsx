import type { Organisation } from '@pult/contract'
import { Waiting } from '@pult/sdk/resource'
import { ButtonLink, Card, EmptyState, PageHeader } from '@pult/ui'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import Building2 from 'lucide-react/icons/building-2'
import { useState } from 'react'
import { Navigate, useParams } from 'react-router'
import { ApiError } from '#platform/api-error.ts'
import { usePageTitle } from '#platform/page-title.ts'
import { Invitations } from './Invitations.tsx'
import { LabelForm } from './LabelForm.tsx'
import { Members } from './Members.tsx'
import styles from './Organisations.module.css'
import { useOrganisation } from './organisations.queries.ts'
import { texts } from './organisations.texts.ts'

/** One organisation with its people. Its owner and root edit it, the others read it. */
export function OrganisationPage() {
  const { orgId = '' } = useParams()
  const { data, error, refetch } = useOrganisation(orgId)
  const [isLeft, setLeft] = useState(false)
  if (isLeft) return <Navigate to="/orgs" />
  if (error instanceof ApiError && error.code === 'NOT_FOUND') return <Gone />
  if (data !== undefined) return <Found key={orgId} organisation={data} onLeft={() => setLeft(true)} />
  return (
    <Card flush>
      <Waiting failed={texts.oneLoadingFailed} error={error} onRetry={() => void refetch()} />
    </Card>
  )
}

interface FoundProps {
  organisation: Organisation
  /** It is deleted, or the person has left it. */
  onLeft: () => void
}

function Found({ organisation, onLeft }: FoundProps) {
  usePageTitle(organisation.label)
  const isEditor = organisation.access !== 'member'
  return (
    <div className={styles.page}>
      <PageHeader
        title={organisation.label}
        description={isEditor ? undefined : texts.readOnly}
        actions={
          <ButtonLink variant="ghost" href="/orgs" icon={<ArrowLeft aria-hidden="true" />}>
            {texts.back}
          </ButtonLink>
        }
      />
      <LabelForm organisation={organisation} onDeleted={onLeft} />
      <Members organisation={organisation} onLeft={onLeft} />
      {isEditor && <Invitations orgId={organisation._id} />}
    </div>
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
