import { useAppNavigate, useFormat } from '@pult/sdk'
import { Button, CopyButton, Dialog, Spinner, StatusDot } from '@pult/sdk/ui'
import { useState } from 'react'
import styles from './edges.module.css'
import { useEdge } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

export interface NewCode {
  edgeId: string
  label: string
  code: string
  expiresAt: string
}

/** What is typed on the machine: it fetches the agent from here, and starts it. */
const commandOf = ({ code }: NewCode, origin: string) =>
  [
    `curl -fsSO ${origin}/api/edges/edge-agent.mjs &&`,
    `node edge-agent.mjs --server ${origin} \\`,
    `  --code ${code}`,
  ].join('\n')

/** Shows how the agent is started, and says when it is there. */
export function CommandDialog({ made, onClose }: { made: NewCode; onClose: () => void }) {
  const format = useFormat()
  const navigate = useAppNavigate()
  const command = commandOf(made, window.location.origin)
  const { data: edge } = useEdge(made.edgeId)
  const isThere = edge?.state === 'online' && edge.codeExpiresAt === null
  return (
    <Dialog
      open
      size="md"
      title={texts.commandTitle(made.label)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose} autoFocus={false}>
            {texts.close}
          </Button>
          {isThere && (
            <Button
              variant="primary"
              onClick={() => {
                onClose()
                navigate(made.edgeId)
              }}
            >
              {texts.openEdge}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.command}>
        <p>{texts.commandText}</p>
        <textarea
          className={styles.commandText}
          aria-label={texts.command}
          readOnly
          rows={3}
          wrap="off"
          value={command}
          onFocus={({ target }) => target.select()}
        />
        <div className={styles.commandActions}>
          <span className={styles.quiet}>{texts.codeEnds(format.time(made.expiresAt))}</span>
          <CopyButton text={command} copiedLabel={texts.copied} failedLabel={texts.copyFailed}>
            {texts.copy}
          </CopyButton>
        </div>
        <p role="status" className={styles.arrival}>
          <Arrival edge={edge} made={made} isThere={isThere} />
        </p>
      </div>
    </Dialog>
  )
}

interface ArrivalProps {
  edge: ReturnType<typeof useEdge>['data']
  made: NewCode
  isThere: boolean
}

function Arrival({ edge, made, isThere }: ArrivalProps) {
  // The page had the edge before the code was made, and reads it again.
  const [openedAt] = useState(() => Date.now())
  if (isThere) return <StatusDot status="success">{texts.arrived(made.label)}</StatusDot>
  if (edge !== undefined && edge.codeExpiresAt === null) {
    const isUsed =
      edge.enrolledAt !== null && Date.parse(made.expiresAt) > openedAt && edge.state !== 'enrolling'
    if (!isUsed) return <StatusDot status="warning">{texts.codeEnded}</StatusDot>
    return (
      <>
        <Spinner />
        {texts.enrolled}
      </>
    )
  }
  return (
    <>
      <Spinner />
      {texts.waiting}
    </>
  )
}
