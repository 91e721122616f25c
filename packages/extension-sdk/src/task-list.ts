// Shared by the console's task view and the hooks for extensions. Extensions cannot import it.
export { useRowsInView } from './resource/use-rows-in-view.ts'
export { downloadResult, useResultLink } from './tasks/download-result.ts'
export { followTasks, keepTask, readOlderTasks, taskListQuery } from './tasks/follow-tasks.ts'
export { isOpen, listWith, type TaskList, withNews } from './tasks/task-list.ts'
export {
  errorOf,
  failureOf,
  infoOf,
  isOfServer,
  lineOf,
  shareOf,
  titleInWords,
  typeInWords,
} from './tasks/task-words.ts'
export { taskCatalogues, useTaskTexts } from './tasks/tasks.texts.ts'
export { useFollowedTasks } from './tasks/use-tasks.ts'
