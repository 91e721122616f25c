import { useCall, useProject } from '@pult/sdk'
import { type ReplyOf, type TaskToken, taskTokenEndpoints } from '@pult/sdk/api'
import { Loaded } from '@pult/sdk/resource'
import { Card, HandOver, IconButton, keepFocus, Table, type TableColumn, TimeAgo } from '@pult/sdk/ui'
import Trash from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { Instant } from '../Instant.tsx'
import { useLiveWithProject } from '../project-details.queries.ts'
import { CreateToken } from './CreateToken.tsx'
import { RevokeToken } from './RevokeToken.tsx'
import styles from './Tokens.module.css'
import { texts } from './tokens.texts.ts'

type MadeToken = ReplyOf<typeof taskTokenEndpoints.create>

export function TokensCard() {
  const { _id: projectId } = useProject()
  const tokens = useCall(taskTokenEndpoints.list, { params: { projectId } })
  useLiveWithProject()
  const [made, setMade] = useState<MadeToken | null>(null)
  const [toRevoke, setToRevoke] = useState<TaskToken | null>(null)
  const [asks, setAsks] = useState(false)

  const revoke = (token: TaskToken) => {
    setToRevoke(token)
    setAsks(true)
  }
  const forget = () => {
    if (made?._id === toRevoke?._id) setMade(null)
  }
  return (
    <Card ref={keepFocus} tabIndex={-1} className={styles.card} title={texts.tokens} flush>
      <p className={styles.text}>{texts.text}</p>
      {made && (
        <HandOver
          title={texts.made(made.label)}
          link={made.token}
          label={texts.token}
          copyLabel={texts.copy}
          copiedLabel={texts.copied}
          failedLabel={texts.copyFailed}
        >
          {texts.madeText}
        </HandOver>
      )}
      <Loaded query={tokens} failed={texts.loadingFailed}>
        {({ items, types }) => (
          <>
            {items.length === 0 ? (
              <p className={styles.none}>{texts.none}</p>
            ) : (
              <Table
                label={texts.tokens}
                columns={columnsOf(revoke)}
                rows={items}
                rowKey={({ _id }) => _id}
              />
            )}
            <CreateToken types={types} onCreated={setMade} />
          </>
        )}
      </Loaded>
      {toRevoke && (
        <RevokeToken token={toRevoke} open={asks} onClose={() => setAsks(false)} onRemoved={forget} />
      )}
    </Card>
  )
}

const columnsOf = (onRevoke: (token: TaskToken) => void): TableColumn<TaskToken>[] => [
  { header: texts.label, kind: 'title', cell: ({ label }) => label },
  { header: texts.types, cell: ({ types }) => types.join(', ') },
  {
    header: texts.created,
    cell: ({ createdAt, createdBy }) => (
      <span>
        <TimeAgo at={createdAt} />
        {createdBy && ` ${texts.by(`${createdBy.firstname} ${createdBy.lastname}`)}`}
      </span>
    ),
  },
  {
    header: texts.expires,
    cell: ({ expiresAt, ended }) =>
      ended === 'creator' ? (
        texts.creatorGone
      ) : (
        <>
          {ended === 'expired' && `${texts.expired} `}
          <Instant iso={expiresAt} />
        </>
      ),
  },
  {
    header: texts.lastUsed,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? texts.never : <TimeAgo at={lastUsedAt} />),
  },
  {
    header: texts.actions,
    kind: 'actions',
    cell: (token) => (
      <IconButton
        label={texts.revokeOf(token.label)}
        icon={<Trash aria-hidden="true" />}
        onClick={() => onRevoke(token)}
      />
    ),
  },
]
