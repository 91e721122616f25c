import type { StatusShapeProps } from '@pult/ui'
import { createStore } from './store.ts'

/** What an app reports for its entry in the navigation. */
export interface NavigationState {
  /** Number of the app's records, shown at the end of the entry. */
  count?: number
  /** Shown when something in the app is wrong. */
  status?: StatusShapeProps['status']
  /** Description for screen readers: "24 edges, 1 offline". */
  label: string
}

/** By app. Apps without an entry show neither a count nor a state. */
export const navigationStates = createStore<ReadonlyMap<string, NavigationState>>(new Map())
