import { isCancelled, useApi, useNotify, useProject } from '@pult/sdk'
import { type Edge, edgeEndpoints } from '@pult/sdk/api'
import { Button } from '@pult/sdk/ui'
import { useMutation } from '@tanstack/react-query'
import CircleArrowUp from 'lucide-react/icons/circle-arrow-up'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import Stethoscope from 'lucide-react/icons/stethoscope'
import { useEdgeUpdates } from './edges.queries.ts'
import { texts } from './edges.texts.ts'

interface AgentActionsProps {
  edge: Edge
  onBegun: (taskId: string) => void
}

/** The agent's commands. Each runs as a task. */
export function AgentActions({ edge, onBegun }: AgentActionsProps) {
  const call = useApi()
  const notify = useNotify()
  const { _id: projectId } = useProject()
  const params = { projectId, edgeId: edge._id }
  const diagnose = useMutation({
    mutationFn: () => call(edgeEndpoints.diagnose, { params }),
    onSuccess: ({ _id }) => onBegun(_id),
    onError: (error) => {
      if (!isCancelled(error)) notify({ title: texts.diagnoseFailed, error })
    },
  })
  const restart = useMutation({
    mutationFn: () => call(edgeEndpoints.restart, { params, body: {} }),
    onSuccess: ({ _id }) => {
      onBegun(_id)
      notify({ title: texts.restartStarted(edge.label), tone: 'success' })
    },
    onError: (error) => {
      if (!isCancelled(error)) notify({ title: texts.restartFailed(edge.label), error })
    },
  })
  const update = useMutation({
    mutationFn: () => call(edgeEndpoints.updateAgent, { params }),
    onSuccess: ({ _id }) => onBegun(_id),
    onError: (error) => {
      if (!isCancelled(error)) notify({ title: texts.updateFailed(edge.label), error })
    },
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
