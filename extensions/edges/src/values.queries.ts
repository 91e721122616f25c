import { readingOf, useApi, useCall, usePageQuery, useProject } from '@pult/sdk'
import { edgeValueEndpoints, type ReplyOf } from '@pult/sdk/api'
import { type NotUnderstoodNoteProps, notUnderstoodIn } from '@pult/sdk/resource'
import { keepPreviousData, useQuery } from '@tanstack/react-query'

const hour = 3_600_000

/** Length of each range in milliseconds. */
export const edgeRanges = { '1h': hour, '24h': 24 * hour, '7d': 168 * hour, '30d': 720 * hour } as const
export type EdgeRange = keyof typeof edgeRanges

const ranges = Object.keys(edgeRanges) as EdgeRange[]

/** Returns the range of the address, a function that changes it, and the parts of the address that are not understood. */
export function useEdgeRange(): [
  range: EdgeRange,
  change: (range: EdgeRange) => void,
  notUnderstood: NotUnderstoodNoteProps,
] {
  const [query, changeQuery] = usePageQuery()
  const range = ranges.find((one) => one === query['range']) ?? '24h'
  return [
    range,
    (chosen) => changeQuery({ range: chosen }),
    { parameters: notUnderstoodIn(query, { range: ranges }), onRemove: () => changeQuery({ range: '' }) },
  ]
}

export type EdgeValues = ReplyOf<typeof edgeValueEndpoints.read>

/** Returns the query of a range that ends now. */
export const rangeQuery = (range: EdgeRange) => ({
  from: new Date(Date.now() - edgeRanges[range]).toISOString(),
})

/** Polling interval in milliseconds. The values of a minute are available a few seconds after its end. */
const readEvery = 60_000

/** Reads the values of an edge over a range that ends now. The charts stay until those of another range have loaded. */
export function useEdgeValues(edgeId: string, range: EdgeRange) {
  const call = useApi()
  const { _id: projectId } = useProject()
  // Not `useCall`, whose key contains the whole query: each read has another start of the range.
  return useQuery<EdgeValues>({
    queryKey: ['edge-values', projectId, edgeId, range],
    queryFn: (context) =>
      call(edgeValueEndpoints.read, {
        params: { projectId, edgeId },
        query: rangeQuery(range),
        ...readingOf(context),
      }),
    placeholderData: keepPreviousData,
    refetchInterval: readEvery,
  })
}

/** Polling interval of the size of all values in milliseconds. */
const sizeEvery = 300_000

/** Reads the size and growth of all values of the project. */
export function useValuesGrowth() {
  const { _id: projectId } = useProject()
  const input = { params: { projectId } }
  return useCall(edgeValueEndpoints.growth, input, { staleTime: sizeEvery, every: sizeEvery })
}
