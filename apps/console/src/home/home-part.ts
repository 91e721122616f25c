import type { Home, Project, Task } from '@pult/contract'
import type { DataCardState } from '@pult/ui'
import type { ReactNode } from 'react'

export interface HomeRights {
  mayManageEdges: boolean
  mayInvite: boolean
  mayOpenDetails: boolean
  mayOpenAudit: boolean
}

/** Loads the confirmation dialog before an abort, which belongs to the tasks room. */
export type LoadAbort = () => Promise<{
  useAbortDialog: () => { ask: (task: Task) => void; dialog: ReactNode }
}>

/** The props of each part of home. `home` is undefined until the first response. */
export interface HomePartProps {
  project: Project
  home: Home | undefined
  state: DataCardState
  rights: HomeRights
}
