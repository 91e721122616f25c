import type { Home, Project, Task } from '@pult/contract'
import type { DataCardState } from '@pult/ui'
import type { ReactNode } from 'react'

export interface HomeRights {
  mayManageEdges: boolean
  mayInvite: boolean
  mayOpenDetails: boolean
  mayOpenAudit: boolean
}

/** Loads the question before an abort, which belongs to the tasks. */
export type LoadAbort = () => Promise<{
  useAbortDialog: () => { ask: (task: Task) => void; dialog: ReactNode }
}>

/** What each part of home gets. `home` is undefined until the first answer. */
export interface HomePartProps {
  project: Project
  home: Home | undefined
  state: DataCardState
  rights: HomeRights
}
