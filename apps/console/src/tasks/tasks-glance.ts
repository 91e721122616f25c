import { createStore } from '#platform/store.ts'

/** The header's summary of tasks in the active project. */
export interface TasksGlance {
  /** Number of running tasks. */
  running: number
  /** Average progress in whole percent; null when no task reports any. */
  percent: number | null
}

export const noTasks: TasksGlance = { running: 0, percent: null }

export const tasksGlance = createStore(noTasks)

/** Whether the panel is open. Notifications open it as well. */
export const tasksPanel = createStore(false)
