// Long-running tasks of the active project, for extensions.
export { DownloadTask, type DownloadTaskProps } from './tasks/DownloadTask.tsx'
export { TaskProgress, type TaskProgressProps } from './tasks/TaskProgress.tsx'
export { formatTaskInstant, outcomeOf, type TaskOutcome } from './tasks/task-words.ts'
export { type StartedTask, useStartTask } from './tasks/use-start-task.ts'
export { useTaskTitle } from './tasks/use-task-title.ts'
export { type TaskWords, useTaskWords } from './tasks/use-task-words.ts'
export { type OneTask, type Tasks, type TasksWanted, useTask, useTasks } from './tasks/use-tasks.ts'
