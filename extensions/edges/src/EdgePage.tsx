import { PageActions, PageCards, PageTabs, useAppParams, usePageTitle, useRole } from '@pult/sdk'
import type { Edge } from '@pult/sdk/api'
import { RecordPage } from '@pult/sdk/resource'
import { Awaited, EmptyState, Page, PageHead, TimeAgo } from '@pult/sdk/ui'
import { useState } from 'react'
import { AgentActions } from './AgentActions.tsx'
import { AgentCard } from './AgentCard.tsx'
import { DecksCard } from './DecksCard.tsx'
import { EdgePresence } from './EdgePresence.tsx'
import { EnrolmentCard } from './EnrolmentCard.tsx'
import { EventsCard } from './EventsCard.tsx'
import { useEdge } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { isConnected } from './fleet-state.ts'
import { InstancesCard } from './InstancesCard.tsx'
import { PlacementCard } from './PlacementCard.tsx'
import { ReportCard } from './ReportCard.tsx'
import { SettingsCard } from './SettingsCard.tsx'
import { ValuesCard } from './ValuesCard.tsx'
import { useEdgeRange, useEdgeValues } from './values.queries.ts'

/** One edge: its state, its programs and its actions. */
export function EdgePage() {
  const { edgeId = '' } = useAppParams()
  return <OneEdge key={edgeId} edgeId={edgeId} />
}

function OneEdge({ edgeId }: { edgeId: string }) {
  const values = useEdgeValues(edgeId, useEdgeRange()[0])
  // Charts that appear above the buttons would move them from under the pointer.
  const isAwaitingValues = values.isPending && values.failureCount === 0
  return (
    <RecordPage
      back={texts.back}
      query={useEdge(edgeId)}
      failed={texts.oneLoadingFailed}
      gone={<EmptyState title={texts.gone} text={texts.goneText} />}
    >
      {(edge) => (isAwaitingValues ? <Awaited height="38px" count={2} /> : <EdgeCards edge={edge} />)}
    </RecordPage>
  )
}

function EdgeCards({ edge }: { edge: Edge }) {
  usePageTitle(edge.label)
  const mayManage = useRole('edges:manage')
  /** The last started task, whose log is shown. */
  const [taskId, setTaskId] = useState<string | null>(null)
  return (
    <>
      <PageHead
        title={edge.label}
        state={<EdgePresence edge={edge} />}
        {...(edge.lastSeenAt !== null && {
          text: (
            <>
              {texts.lastSeen} <TimeAgo at={edge.lastSeenAt} />
              {machineOf(edge)}
            </>
          ),
        })}
        {...(!mayManage && { lock: texts.changedByOperators })}
        actions={
          <>
            {mayManage && isConnected(edge) && <AgentActions edge={edge} onBegun={setTaskId} />}
            <PageActions kind="edge" record={{ id: edge._id, label: edge.label }} />
          </>
        }
      />
      <PageTabs page="edge" id={edge._id} label={texts.overview}>
        <Page
          width="data"
          head={edge.enrolledAt === null ? undefined : <ValuesCard edge={edge} />}
          side={
            <>
              <ReportCard edge={edge} />
              <PlacementCard edge={edge} />
              <EventsCard edge={edge} />
            </>
          }
        >
          <InstancesCard edge={edge} onBegun={setTaskId} />
          {mayManage && <AgentCard edge={edge} taskId={taskId} />}
          <PageCards place="edge" id={edge._id} />
          <DecksCard edge={edge} />
        </Page>
        {mayManage && <SettingsCard edge={edge} />}
        {mayManage && <EnrolmentCard edge={edge} />}
      </PageTabs>
    </>
  )
}

/** Returns " · crane-4 · linux x64", without values that the agent has not reported. */
const machineOf = ({ report }: Edge) =>
  report === null
    ? ''
    : [report.hostname, report.platform].map((fact) => (fact === '' ? '' : ` · ${fact}`)).join('')
