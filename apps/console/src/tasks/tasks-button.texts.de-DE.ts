import type { texts } from './tasks-button.texts.ts'

export const deDE: typeof texts = {
  tasks: (running: number) => (running === 0 ? 'Aufgaben' : `Aufgaben, ${running} in Arbeit`),
  panelFailed: 'Die Aufgaben konnten nicht angezeigt werden',
}
