import { useChange, useNotify, useProject } from '@pult/sdk'
import { type Edge, edgeEndpoints } from '@pult/sdk/api'
import { Button } from '@pult/sdk/ui'
import CircleArrowUp from 'lucide-react/icons/circle-arrow-up'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Stethoscope from 'lucide-react/icons/stethoscope'
import { begins, useEdgeUpdates } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

interface AgentActionsProps {
  edge: Edge
  onBegun: (taskId: string) => void
}

/** The agent's commands. Each runs as a task. */
export function AgentActions({ edge, onBegun }: AgentActionsProps) {
  const notify = useNotify()
  const { _id: projectId } = useProject()
  const params = { projectId, edgeId: edge._id }
  const diagnose = useChange(edgeEndpoints.diagnose, () => ({ params }), {
    ...begins(onBegun),
    onError: (error) => notify({ title: texts.diagnoseFailed, error }),
  })
  const restart = useChange(edgeEndpoints.restart, () => ({ params, body: {} }), {
    ...begins((taskId) => {
      onBegun(taskId)
      notify({ title: texts.restartStarted(edge.label), tone: 'success' })
    }),
    onError: (error) => notify({ title: texts.restartFailed(edge.label), error }),
  })
  const update = useChange(edgeEndpoints.updateAgent, () => ({ params }), {
    ...begins(onBegun),
    onError: (error) => notify({ title: texts.updateFailed(edge.label), error }),
  })
  const { data: updates } = useEdgeUpdates()
  const isBehind = updates !== undefined && edge.version !== updates.version
  return (
    <>
      {isBehind && edge.report?.update?.isReady === true && (
        <Button
          icon={<CircleArrowUp aria-hidden="true" />}
          pending={update.isPending}
          onClick={() => update.mutate()}
        >
          {texts.updateNow(updates.version)}
        </Button>
      )}
      <Button
        icon={<Stethoscope aria-hidden="true" />}
        pending={diagnose.isPending}
        onClick={() => diagnose.mutate()}
      >
        {texts.diagnose}
      </Button>
      <Button
        icon={<RotateCcw aria-hidden="true" />}
        pending={restart.isPending}
        onClick={() => restart.mutate()}
      >
        {texts.restart}
      </Button>
    </>
  )
}
