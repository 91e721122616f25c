import { type Touched, useCall, useChange, useLive, useNotify, useProject } from '@pult/sdk'
import { type BodyOf, edgeKeyEndpoints, edgeRequestEndpoints } from '@pult/sdk/api'
import { fleetData } from '../edges.queries.ts'
import { texts } from './joining.texts.ts'

/** What a change of keys or waiting machines makes stale. */
export const joiningData: readonly Touched[] = [edgeKeyEndpoints.list, edgeRequestEndpoints.list]

function useLiveJoining(): string {
  const { _id: projectId } = useProject()
  useLive(`/projects/${projectId}/edges`, { touches: joiningData })
  return projectId
}

/** The enrolment keys, newest first. */
export const useEdgeKeys = () => useCall(edgeKeyEndpoints.list, { params: { projectId: useLiveJoining() } })

/** The machines that wait for a decision, newest first. */
export const useJoinRequests = () =>
  useCall(edgeRequestEndpoints.list, { params: { projectId: useLiveJoining() } })

/** The machines that a user has refused, newest first. */
export const useRefusedRequests = () =>
  useCall(edgeRequestEndpoints.list, { params: { projectId: useLiveJoining() }, query: { state: 'refused' } })

/** Approves or refuses waiting machines, or readmits refused ones. */
export function useDecision() {
  const notify = useNotify()
  const { _id: projectId } = useProject()
  return useChange(
    edgeRequestEndpoints.decide,
    (body: BodyOf<typeof edgeRequestEndpoints.decide>) => ({ params: { projectId }, body }),
    {
      touches: [...joiningData, ...fleetData],
      onSuccess: ({ decided }, { decision }) => {
        if (decided > 0) notify({ title: texts.decided[decision](decided), tone: 'success' })
      },
      onError: (error) => notify({ title: texts.decidingFailed, error }),
    },
  )
}
