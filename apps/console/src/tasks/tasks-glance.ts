import { createStore } from '#platform/store.ts'

/** What the header says about the tasks of the active project. */
export interface TasksGlance {
  /** How many go on. */
  running: number
  /** How far all of them are, in whole percent; null when none has said. */
  percent: number | null
}

export const noTasks: TasksGlance = { running: 0, percent: null }

export const tasksGlance = createStore(noTasks)

/** Whether the panel is open. Messages open it as well. */
export const tasksPanel = createStore(false)
