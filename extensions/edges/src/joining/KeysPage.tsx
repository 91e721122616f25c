import { AskForAccess, useChange, useFormat, usePageTitle, useProject, useRole } from '@pult/sdk'
import { type EdgeKey, edgeKeyEndpoints } from '@pult/sdk/api'
import { Loaded } from '@pult/sdk/resource'
import {
  BackToList,
  Button,
  Card,
  ConfirmedAction,
  EmptyState,
  keepFocus,
  PageHead,
  StateChip,
  Table,
  type TableColumn,
  TimeAgo,
} from '@pult/sdk/ui'
import { useState } from 'react'
import { TagList } from '../TagList.tsx'
import { RefusedRequests } from './JoinRequests.tsx'
import styles from './joining.module.css'
import { joiningData, useEdgeKeys } from './joining.queries.ts'
import { texts } from './joining.texts.ts'
import { KeyDialog } from './KeyDialog.tsx'

/** The enrolment keys of the project, for users who may add edges. */
export function KeysPage() {
  usePageTitle(texts.keys)
  const mayManage = useRole('edges:manage')
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      {texts.addKey}
    </Button>
  )
  return (
    <div className={styles.page} data-record-page="">
      <BackToList>{texts.back}</BackToList>
      <PageHead title={texts.keys} text={texts.keysText} {...(mayManage && { actions: add })} />
      {mayManage ? (
        <>
          <Keys />
          <RefusedRequests />
        </>
      ) : (
        <EmptyState
          title={texts.operatorsOnly}
          action={<AskForAccess needs="edges:manage" subject={texts.workingWithKeys} />}
        />
      )}
      {isAdding && mayManage && <KeyDialog onClose={() => setAdding(false)} />}
    </div>
  )
}

function Keys() {
  return (
    <Card ref={keepFocus} tabIndex={-1} flush>
      <Loaded query={useEdgeKeys()} failed={texts.keysFailed}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState title={texts.noKeys} />
          ) : (
            <Table label={texts.keys} columns={columns} rows={items} rowKey={({ _id }) => _id} />
          )
        }
      </Loaded>
    </Card>
  )
}

const columns: TableColumn<EdgeKey>[] = [
  { header: texts.name, kind: 'title', cell: ({ label }) => label },
  { header: texts.uses, cell: ({ usesLeft, used }) => texts.usesLeft(usesLeft, used) },
  { header: texts.expires, cell: (key) => <Expiry edgeKey={key} /> },
  { header: texts.tags, cell: ({ tags }) => (tags.length === 0 ? texts.noValue : <TagList tags={tags} />) },
  {
    header: texts.approval,
    cell: ({ needsApproval }) => (needsApproval ? texts.withApproval : texts.withoutApproval),
  },
  {
    header: texts.lastUse,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.never : <TimeAgo at={lastUsedAt} />),
  },
  { header: texts.actions, kind: 'actions', cell: (key) => <Revoke edgeKey={key} /> },
]

/** Shows the state of a key, and the reason if no machine can use it. */
function Expiry({ edgeKey: { expiresAt, ended } }: { edgeKey: EdgeKey }) {
  const format = useFormat()
  if (ended !== null)
    return (
      <StateChip plain status="stopped">
        {texts.ended[ended]}
      </StateChip>
    )
  return expiresAt === null ? texts.never : format.date(expiresAt)
}

function Revoke({ edgeKey: { _id: keyId, label } }: { edgeKey: EdgeKey }) {
  const { _id: projectId } = useProject()
  const params = { projectId, keyId }
  const revoke = useChange(edgeKeyEndpoints.revoke, () => ({ params }), { touches: joiningData })
  return (
    <ConfirmedAction
      label={texts.revoke}
      accessibleLabel={texts.revokeOne(label)}
      variant="danger-quiet"
      question={texts.revokeQuestion(label)}
      text={texts.revokeText}
      done={texts.revoked(label)}
      run={() => revoke.mutateAsync()}
    />
  )
}
