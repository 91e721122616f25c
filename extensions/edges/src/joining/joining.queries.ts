import { callOf, isCancelled, useApi, useLiveQueries, useNotify, useProject } from '@pult/sdk'
import {
  type BodyOf,
  type EdgeKey,
  type EdgeRequest,
  edgeKeyEndpoints,
  edgeRequestEndpoints,
} from '@pult/sdk/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useReadTagsAgain } from '../edges.queries.ts'
import { texts } from './joining.texts.ts'

const all = 'app-edges-joining'

function useLiveJoining(): string {
  const { _id: projectId } = useProject()
  useLiveQueries(`/projects/${projectId}/edges`, [all, projectId])
  return projectId
}

/** The enrolment keys, newest first. */
export function useEdgeKeys() {
  const call = useApi()
  const projectId = useLiveJoining()
  return useQuery<{ items: EdgeKey[] }>({
    queryKey: [all, projectId, 'keys'],
    queryFn: (context) => call(edgeKeyEndpoints.list, { params: { projectId }, ...callOf(context) }),
  })
}

/** The machines that wait for a decision, newest first. */
export function useJoinRequests() {
  const call = useApi()
  const projectId = useLiveJoining()
  return useQuery<{ items: EdgeRequest[]; total: number }>({
    queryKey: [all, projectId, 'requests'],
    queryFn: (context) => call(edgeRequestEndpoints.list, { params: { projectId }, ...callOf(context) }),
  })
}

/** The machines that a user has refused, newest first. */
export function useRefusedRequests() {
  const call = useApi()
  const projectId = useLiveJoining()
  return useQuery<{ items: EdgeRequest[]; total: number }>({
    queryKey: [all, projectId, 'refused'],
    queryFn: (context) =>
      call(edgeRequestEndpoints.list, {
        params: { projectId },
        query: { state: 'refused' },
        ...callOf(context),
      }),
  })
}

/** Returns a function that refetches the shown keys and waiting machines. */
export function useReadJoiningAgain(): () => Promise<void> {
  const client = useQueryClient()
  const { _id: projectId } = useProject()
  return () => client.invalidateQueries({ queryKey: [all, projectId] })
}

/** Approves or refuses waiting machines, or readmits refused ones. */
export function useDecision() {
  const call = useApi()
  const notify = useNotify()
  const readAgain = useReadJoiningAgain()
  const readEdgesAgain = useReadTagsAgain()
  const { _id: projectId } = useProject()
  return useMutation({
    mutationFn: (body: BodyOf<typeof edgeRequestEndpoints.decide>) =>
      call(edgeRequestEndpoints.decide, { params: { projectId }, body }),
    onSuccess: ({ decided }, { decision }) => {
      if (decided > 0) notify({ title: texts.decided[decision](decided), tone: 'success' })
    },
    onError: (error) => {
      if (!isCancelled(error)) notify({ title: texts.decidingFailed, error })
    },
    onSettled: () => Promise.all([readAgain(), readEdgesAgain()]),
  })
}
