import type { texts } from './boot.texts.ts'

export const deDE: typeof texts = {
  steps: 'Start',
  authenticationInit: 'Anmeldung wird geprüft',
  running: 'läuft',
  done: 'fertig',
  warning: 'Warnung',
  failed: 'fehlgeschlagen',
  retry: 'Erneut versuchen',
  crashed: 'Etwas ist schiefgegangen',
  reload: 'Seite neu laden',
  httpsNeeded: 'Diese Adresse erfordert https.',
  openPlace: (origin) => `${origin} öffnen`,
}
