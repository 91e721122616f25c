import { useApi, useNotify, useProject } from '@pult/sdk'
import { type Edge, edgeEndpoints } from '@pult/sdk/api'
import { ConfirmDialog } from '@pult/sdk/ui'
import { type ReactNode, useState } from 'react'
import { useForEdges } from './edges.queries.ts'
import { texts } from './edges.texts.ts'
import { isConnected } from './fleet-state.ts'

interface EdgeCommands {
  diagnose: (edges: readonly Edge[]) => void
  /** The question before a restart of several agents. */
  restart: (edges: readonly Edge[]) => void
  dialog: ReactNode
}

/** The commands for one or several edges of the list. Edges that are not connected are skipped. */
export function useEdgeCommands(): EdgeCommands {
  const call = useApi()
  const notify = useNotify()
  const forEdges = useForEdges()
  const { _id: projectId } = useProject()
  const [edgesToRestart, setEdgesToRestart] = useState<readonly Edge[]>([])
  const [isAsking, setAsking] = useState(false)

  async function run(
    edges: readonly Edge[],
    command: (edge: Edge) => Promise<unknown>,
    words: { done: (what: string) => string; failed: (what: string) => string },
  ) {
    const { error, failed } = await forEdges(edges, command)
    const done = edges.length - failed
    if (done > 0) notify({ title: words.done(nameOf(edges, done)), tone: 'success' })
    if (failed > 0) notify({ title: words.failed(nameOf(edges, failed)), error })
  }
  const restartNow = (edges: readonly Edge[]) =>
    run(
      edges,
      ({ _id: edgeId }) => call(edgeEndpoints.restart, { params: { projectId, edgeId }, body: {} }),
      { done: texts.restartStarted, failed: texts.restartFailed },
    )
  return {
    diagnose: (edges) =>
      void run(
        edges.filter(isConnected),
        ({ _id: edgeId }) => call(edgeEndpoints.diagnose, { params: { projectId, edgeId } }),
        { done: texts.diagnoseStarted, failed: texts.diagnoseOfFailed },
      ),
    restart: (edges) => {
      const online = edges.filter(isConnected)
      if (edges.length === 1) return void restartNow(online)
      setEdgesToRestart(online)
      setAsking(true)
    },
    dialog: (
      <ConfirmDialog
        open={isAsking}
        title={texts.restartQuestion(nameOf(edgesToRestart, edgesToRestart.length))}
        confirmLabel={
          edgesToRestart.length > 10 ? texts.restartCount(edgesToRestart.length) : texts.restartConfirm
        }
        cancelLabel={texts.cancel}
        onConfirm={() => {
          setAsking(false)
          void restartNow(edgesToRestart)
        }}
        onCancel={() => setAsking(false)}
      >
        {texts.restartText}
      </ConfirmDialog>
    ),
  }
}

const nameOf = (edges: readonly Edge[], count: number) =>
  edges.length === 1 ? (edges[0]?.label ?? '') : texts.count(count, false)
