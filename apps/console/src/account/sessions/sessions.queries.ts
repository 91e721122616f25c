import { type Activity, ownSessionEndpoints } from '@pult/contract'
import { useCall, useChange } from '@pult/sdk'
import { type SearchedList, useSearchedList } from '#platform/searched-list/searched-list.ts'

const activityList: SearchedList<Activity> = { endpoint: ownSessionEndpoints.activity, input: {} }

/** The user's sessions, this one first. */
export const useSessions = () => useCall(ownSessionEndpoints.list, {}, { select: ({ items }) => items })

/** The account's events, newest first, page by page. */
export const useActivity = () => useSearchedList(activityList, '')

const touches = [ownSessionEndpoints.list, ownSessionEndpoints.activity]

export const useEndSession = () =>
  useChange(ownSessionEndpoints.end, (sessionId: string) => ({ params: { sessionId } }), { touches })

export const useEndOtherSessions = () => useChange(ownSessionEndpoints.endOthers, () => ({}), { touches })
