import type { texts } from './tasks-button.texts.ts'

export const en: typeof texts = {
  tasks: (running: number) => (running === 0 ? 'Tasks' : `Tasks, ${running} running`),
  panelFailed: 'The tasks could not be shown',
}
