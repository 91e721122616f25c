import type { texts } from './home.texts.ts'

export const deDE: typeof texts = {
  title: 'Startseite',
  noProject: 'Kein Projekt ausgewählt',
  noProjectText:
    'Apps, Geräte und Aufgaben gehören zu einem Projekt. Erstellen Sie eines oder lassen Sie sich zu einem vorhandenen hinzufügen.',
  createProject: 'Projekt erstellen',
  privateProject: 'Privates Projekt',
  organizationProject: (label: string) => `Projekt von ${label}`,
  owner: 'Sie sind Eigentümer',
  apps: 'Apps',
  noAppsOwner: 'Noch keine Apps eingerichtet.',
  noAppsOwnerText:
    'Apps kommen mit den Produkten eines Projekts. Sobald eines hinzugefügt ist, stehen seine Apps hier.',
  noAppsOthers: 'Für dieses Projekt sind keine Apps freigeschaltet.',
  noAppsOthersText: 'Wenden Sie sich an die Person, der das Projekt gehört: Sie kann Ihnen eine Rolle geben.',
}
