import type { texts } from './unsaved-input.texts.ts'

export const deDE: typeof texts = {
  leaveTitle: 'Ohne Speichern verlassen?',
  leaveText: 'Ihre Änderungen auf dieser Seite sind noch nicht gespeichert.',
  leave: 'Verlassen',
  stay: 'Bleiben',
  leaveFailed: 'Diese Seite lässt sich gerade nicht verlassen',
}
