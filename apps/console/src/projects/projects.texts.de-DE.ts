import type { texts } from './projects.texts.ts'

const amount = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

export const deDE: typeof texts = {
  title: 'Projekte',
  description: 'Wählen Sie das Projekt, an dem Sie arbeiten möchten.',
  counts: (projects: number, organisations: number, own: number) =>
    projects === 0
      ? amount(own, 'privates Projekt', 'private Projekte')
      : [
          `${amount(projects, 'Projekt', 'Projekte')} in ${amount(organisations, 'Organisation', 'Organisationen')}`,
          ...(own > 0 ? [amount(own, 'privates', 'private')] : []),
        ].join(' und '),
  create: 'Projekt erstellen',
  createTitle: 'Projekt erstellen',
  createDescription: 'Es gehört Ihnen. Seine Apps kommen mit den Produkten, die Sie hinzufügen.',
  search: 'Projekte durchsuchen',
  searching: 'Suche läuft',
  sort: 'Reihenfolge der Projekte',
  sorts: { worst: 'Störungen zuerst', name: 'Nach Name', recent: 'Letzte Aktivität zuerst' },
  found: (count: number) => (count === 1 ? '1 Projekt gefunden' : `${count} Projekte gefunden`),
  private: 'Privat',
  active: 'Aktiv',
  isDefault: 'Standard',
  actions: (label: string) => `Aktionen für ${label}`,
  openInTab: 'In neuem Tab öffnen',
  makeDefault: 'Zum Standardprojekt machen',
  setDefaultFailed: 'Das Standardprojekt konnte nicht geändert werden',
  loadingFailed: 'Ihre Projekte konnten nicht geladen werden',
  more: 'Mehr anzeigen',
  waiting: (count: number) => `${count} neu`,
  none: 'Noch keine Projekte',
  noneText:
    'Apps, Geräte und Aufgaben gehören zu einem Projekt. Erstellen Sie eines oder lassen Sie sich zu einem vorhandenen hinzufügen.',
  nothingFound: 'Kein Projekt gefunden',
  nothingFoundText: 'Versuchen Sie es mit weniger oder anderen Wörtern.',
  searchAll: (search: string) => `Alle Projekte nach „${search}“ durchsuchen`,
  searchEverything: (search: string) => `Überall nach „${search}“ suchen`,
  createNamed: (label: string) => `Projekt „${label}“ erstellen`,
  label: 'Bezeichnung',
  organization: 'Organisation',
  noOrganization: 'Keine (privat)',
  organizationText: 'Auch ihr Eigentümer kann das Projekt bearbeiten.',
  manyOrganizations: 'Organisation suchen',
  organizationsFailed: 'Ihre Organisationen konnten nicht geladen werden',
  products: 'Produkte',
  productsText: 'Sie bringen die Apps des Projekts mit. Sie können sie später ändern.',
  productsFailed: 'Die Produkte konnten nicht geladen werden. Sie können sie später hinzufügen.',
  save: 'Speichern',
  saving: 'Wird gespeichert',
  savingFailed: 'Das Projekt konnte nicht erstellt werden',
}
