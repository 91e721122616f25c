import type { texts } from './unsaved-input.texts.ts'

export const deDE: typeof texts = {
  leaveTitle: 'Ohne Speichern verlassen?',
  leaveText: 'Ihre Änderungen auf dieser Seite sind noch nicht gespeichert.',
  leaveUploadTitle: 'Hochladen unterbrechen?',
  leaveUploadText:
    'Wenn Sie die Seite verlassen, hält das Hochladen an. Wählen Sie innerhalb eines Tages dieselbe Datei noch einmal aus, um es fortzusetzen.',
  leave: 'Verlassen',
  stay: 'Bleiben',
  leaveFailed: 'Diese Seite lässt sich gerade nicht verlassen',
}
