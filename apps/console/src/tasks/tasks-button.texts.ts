import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('tasks-button', {
  tasks: (running: number) => (running === 0 ? 'Tasks' : `Tasks, ${running} running`),
  panelFailed: 'The tasks could not be loaded',
})
