import type { Home, Project } from '@pult/contract'
import type { DataCardState } from '@pult/ui'

export interface HomeRights {
  mayManageEdges: boolean
  mayInvite: boolean
  mayOpenDetails: boolean
  mayOpenAudit: boolean
}

/** What each part of home gets. `home` is undefined until the first answer. */
export interface HomePartProps {
  project: Project
  home: Home | undefined
  state: DataCardState
  rights: HomeRights
}
