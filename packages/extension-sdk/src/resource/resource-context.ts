import { useOutletContext } from 'react-router'
import type { RecordItem, ResourceView } from './resource-view.ts'
import type { ResourceCalls } from './use-resource.ts'

/** What the pages below a resource's root work with. */
export interface ResourceContext {
  view: ResourceView
  calls: ResourceCalls<RecordItem>
  /** On a narrow screen the list is a screen of its own. */
  isListAtTheSide: () => boolean
}

export const useResourceContext = () => useOutletContext<ResourceContext>()
