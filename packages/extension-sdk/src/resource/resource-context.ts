import { createContext, use } from 'react'
import type { CompleteView, RecordItem } from './resource-view.ts'
import type { ResourceCalls } from './use-resource.ts'

/** The context of a resource's pages. */
export interface ResourceContext {
  view: CompleteView
  calls: ResourceCalls<RecordItem>
  /** Returns false on a narrow screen, where the list is a separate screen. */
  isListAtTheSide: () => boolean
}

const Context = createContext<ResourceContext | null>(null)

export const ResourceContextProvider = Context.Provider

export function useResourceContext(): ResourceContext {
  const context = use(Context)
  if (context === null) throw new Error('This component works only inside a ResourcePage')
  return context
}
