import { useCall, useProject } from '@pult/sdk'
import { type Edge, edgeCoursesMost, edgeValueEndpoints, type ReplyOf } from '@pult/sdk/api'
import { keepPreviousData } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { itemsOf } from './edges.queries.ts'

type Course = ReplyOf<typeof edgeValueEndpoints.courses>['items'][number]

const CoursesContext = createContext<ReadonlyMap<string, Course>>(new Map())

/** Polling interval in milliseconds. A point covers half an hour, so more frequent reads would change little. */
const readEvery = 300_000

/** Reads the value histories of all shown edges together: one call for 100 edges instead of one for each row. */
export function Courses({ edges, children }: { edges: readonly Edge[]; children: ReactNode }) {
  // Another order of the same edges sends no call.
  const ids = edges.map(({ _id }) => _id).toSorted()
  // A page of the list needs at most two calls.
  const first = useCourses(ids.slice(0, edgeCoursesMost))
  const second = useCourses(ids.slice(edgeCoursesMost, 2 * edgeCoursesMost))
  const courses = useMemo(
    () => new Map([...first, ...second].map((course) => [course.edge, course])),
    [first, second],
  )
  return <CoursesContext value={courses}>{children}</CoursesContext>
}

function useCourses(edges: readonly string[]): readonly Course[] {
  const { _id: projectId } = useProject()
  const input = edges.length === 0 ? null : { params: { projectId }, query: { edges: edges.join(',') } }
  const { data = none } = useCall(edgeValueEndpoints.courses, input, {
    select: itemsOf,
    placeholderData: keepPreviousData,
    staleTime: readEvery,
    every: readEvery,
  })
  return data
}

const none: readonly Course[] = []

/** Returns the last 24 hours of an edge's value; undefined until the first call has returned. */
export const useCourse = (edgeId: string, key: 'load' | 'memory') =>
  useContext(CoursesContext).get(edgeId)?.[key]
