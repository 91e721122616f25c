import type { texts } from './uploads.texts.ts'

export const deDE: typeof texts = {
  storeRefused:
    'Der Dateispeicher lehnt diese Datei ab. Versuchen Sie es erneut, oder fragen Sie den Betreiber',
  fileUnreadable:
    'Die Datei auf diesem Gerät wurde geändert oder lässt sich nicht mehr lesen. Wählen Sie sie noch einmal aus',
}
