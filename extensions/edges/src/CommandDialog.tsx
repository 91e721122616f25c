import { useAppNavigate, useFormat } from '@pult/sdk'
import { type Edge, limits } from '@pult/sdk/api'
import { Button, Dialog, Spinner, StateChip } from '@pult/sdk/ui'
import { AgentCommand } from './AgentCommand.tsx'
import styles from './edges.module.css'
import { useEdge } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

export interface NewCode {
  edgeId: string
  label: string
  code: string
  expiresAt: string
}

/** Shows the command that starts the agent, and reports when the agent connects. */
export function CommandDialog({ made, onClose }: { made: NewCode; onClose: () => void }) {
  const format = useFormat()
  const navigate = useAppNavigate()
  const { data: edge } = useEdge(made.edgeId)
  const isThere = edge?.state === 'online' && isUsed(edge, made)
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
            // The dialog leaves with its page. Closing it first would lead from the address of the enrolment to the list.
            <Button variant="primary" onClick={() => navigate(`edit/${made.edgeId}`)}>
              {texts.openEdge}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.command}>
        <AgentCommand code={made.code} note={texts.codeEnds(format.time(made.expiresAt))} />
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
  if (isThere)
    return (
      <StateChip plain status="ok">
        {texts.arrived(made.label)}
      </StateChip>
    )
  if (edge !== undefined && isUsed(edge, made))
    return (
      <>
        <Spinner />
        {texts.enrolled}
      </>
    )
  // A cached edge from before the creation of the code has no code, either.
  if (edge?.codeExpiresAt === null && Date.parse(edge.updatedAt) >= madeAt(made))
    return (
      <StateChip plain status="warning">
        {texts.codeEnded}
      </StateChip>
    )
  return (
    <>
      <Spinner />
      {texts.waiting}
    </>
  )
}

const madeAt = ({ expiresAt }: NewCode) => Date.parse(expiresAt) - limits.edgeCode

/** Returns whether an agent has enrolled with this code and not with an earlier one. */
const isUsed = ({ enrolledAt }: Pick<Edge, 'enrolledAt'>, made: NewCode) =>
  enrolledAt !== null && Date.parse(enrolledAt) >= madeAt(made)
