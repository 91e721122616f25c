import type { texts } from './home.texts.ts'

export const deDE: typeof texts = {
  noProject: 'Kein Projekt ausgewählt',
  noProjectText:
    'Apps, Geräte und Aufgaben gehören zu einem Projekt. Erstellen Sie eines oder lassen Sie sich zu einem vorhandenen hinzufügen.',
  goodMorning: (name) => `Guten Morgen, ${name}`,
  goodAfternoon: (name) => `Guten Tag, ${name}`,
  goodEvening: (name) => `Guten Abend, ${name}`,
  stepsLeft: 'Diese Installation gehört Ihnen. Die offenen Schritte haben Zeit.',
  createProject: 'Projekt erstellen',
  privateProject: 'Privates Projekt',
  organizationProject: (label: string) => `Projekt von ${label}`,
  apps: 'Apps',
  noAppsOwner: 'Noch keine Apps eingerichtet.',
  noAppsOwnerText:
    'Apps kommen mit den Produkten eines Projekts. Sobald eines hinzugefügt ist, stehen seine Apps hier.',
  noAppsOthers: 'Für dieses Projekt sind keine Apps freigeschaltet.',
}
