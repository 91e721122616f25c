import { callOf, useApi, useProject } from '@pult/sdk'
import { type Edge, edgeCoursesMost, edgeValueEndpoints, type ReplyOf } from '@pult/sdk/api'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'

type Course = ReplyOf<typeof edgeValueEndpoints.courses>['items'][number]

const CoursesContext = createContext<ReadonlyMap<string, Course>>(new Map())

/** Polling interval in milliseconds. A point covers half an hour, so more frequent reads would change little. */
const readEvery = 300_000

/** Reads the value histories of all shown edges together: one call for 100 edges instead of one for each row. */
export function Courses({ edges, children }: { edges: readonly Edge[]; children: ReactNode }) {
  const call = useApi()
  const { _id: projectId } = useProject()
  // Another order of the same edges sends no call.
  const ids = edges.map(({ _id }) => _id).toSorted()
  const parts = Array.from({ length: Math.ceil(ids.length / edgeCoursesMost) }, (_, part) =>
    ids.slice(part * edgeCoursesMost, (part + 1) * edgeCoursesMost).join(','),
  )
  const found = useQueries({
    queries: parts.map((edgeIds) => ({
      queryKey: ['app-edge-courses', projectId, edgeIds],
      queryFn: (context: Parameters<typeof callOf>[0]) =>
        call(edgeValueEndpoints.courses, {
          params: { projectId },
          query: { edges: edgeIds },
          ...callOf(context),
        }),
      placeholderData: keepPreviousData,
      staleTime: readEvery,
      refetchInterval: readEvery,
    })),
    combine: (results) => results.flatMap(({ data }) => data?.items ?? []),
  })
  const courses = useMemo(() => new Map(found.map((course) => [course.edge, course])), [found])
  return <CoursesContext value={courses}>{children}</CoursesContext>
}

/** Returns the last 24 hours of an edge's value; undefined until the first call has returned. */
export const useCourse = (edgeId: string, key: 'load' | 'memory') =>
  useContext(CoursesContext).get(edgeId)?.[key]
