import { ApiError, AppLink, useAppParams, usePageTitle, useRole } from '@pult/sdk'
import type { Edge } from '@pult/sdk/api'
import { Waiting } from '@pult/sdk/resource'
import { EmptyState, TimeAgo } from '@pult/sdk/ui'
import ArrowLeft from 'lucide-react/icons/arrow-left'
import { useState } from 'react'
import { AgentCard } from './AgentCard.tsx'
import { DecksCard } from './DecksCard.tsx'
import { EdgePresence } from './EdgePresence.tsx'
import { EnrolmentCard } from './EnrolmentCard.tsx'
import styles from './edges.module.css'
import { useEdge } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { InstancesCard } from './InstancesCard.tsx'
import { ReportCard } from './ReportCard.tsx'
import { SettingsCard } from './SettingsCard.tsx'

/** One edge: how it is, what it runs, and what can be done with it. */
export function EdgePage() {
  const { edgeId = '' } = useAppParams()
  const { data: edge, error, refetch } = useEdge(edgeId)
  return (
    <div className={styles.page} data-record-page="">
      <AppLink to="" className={styles.back ?? ''}>
        <ArrowLeft aria-hidden="true" /> {texts.back}
      </AppLink>
      {edge !== undefined ? (
        <EdgeCards key={edge._id} edge={edge} />
      ) : error instanceof ApiError && error.code === 'NOT_FOUND' ? (
        <EmptyState title={texts.gone} text={texts.goneText} />
      ) : (
        <Waiting failed={texts.oneLoadingFailed} error={error} onRetry={() => void refetch()} />
      )}
    </div>
  )
}

function EdgeCards({ edge }: { edge: Edge }) {
  usePageTitle(edge.label)
  const mayManage = useRole('edges:manage')
  /** What was begun last: its log is shown. */
  const [taskId, setTaskId] = useState<string | null>(null)
  return (
    <>
      <header className={styles.edge}>
        <h2 className={styles.edgeName} data-page-heading="">
          {edge.label}
        </h2>
        <EdgePresence edge={edge} />
        {edge.lastSeenAt !== null && (
          <p className={styles.quiet}>
            {texts.lastSeen} <TimeAgo at={edge.lastSeenAt} />
          </p>
        )}
      </header>
      <ReportCard edge={edge} />
      {mayManage && <AgentCard edge={edge} taskId={taskId} onBegun={setTaskId} />}
      <InstancesCard edge={edge} onBegun={setTaskId} />
      <DecksCard edge={edge} />
      {mayManage && <SettingsCard edge={edge} />}
      {mayManage && <EnrolmentCard edge={edge} />}
    </>
  )
}
