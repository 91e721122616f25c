import { callOf, useApi, useProject } from '@pult/sdk'
import { type Edge, edgeCoursesMost, edgeValueEndpoints, type ReplyOf } from '@pult/sdk/api'
import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'

type Course = ReplyOf<typeof edgeValueEndpoints.courses>['items'][number]

const CoursesContext = createContext<ReadonlyMap<string, Course>>(new Map())

/** A point covers half an hour. Milliseconds. */
const readEvery = 300_000

/** Reads the courses of all shown edges together: one call for each 100 edges, and none for a row. */
export function Courses({ edges, children }: { edges: readonly Edge[]; children: ReactNode }) {
  const call = useApi()
  const { _id: projectId } = useProject()
  // Another order of the same edges asks nothing again.
  const ids = edges.map(({ _id }) => _id).toSorted()
  const parts = Array.from({ length: Math.ceil(ids.length / edgeCoursesMost) }, (_, part) =>
    ids.slice(part * edgeCoursesMost, (part + 1) * edgeCoursesMost).join(','),
  )
  const found = useQueries({
    queries: parts.map((asked) => ({
      queryKey: ['app-edge-courses', projectId, asked],
      queryFn: (context: Parameters<typeof callOf>[0]) =>
        call(edgeValueEndpoints.courses, {
          params: { projectId },
          query: { edges: asked },
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

/** The last 24 hours of a value of an edge; undefined until the first call has its answer. */
export const useCourse = (edgeId: string, key: 'load' | 'memory') =>
  useContext(CoursesContext).get(edgeId)?.[key]
