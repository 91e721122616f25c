import type { de } from './joining.texts.ts'

const format = (value: number) => value.toLocaleString('de-DE')
const count = (total: number, one: string, many: string) => `${format(total)} ${total === 1 ? one : many}`
const machines = (total: number) => count(total, 'Maschine', 'Maschinen')

export const deDE: typeof de = {
  waiting: (total) => `${machines(total)} ${total === 1 ? 'möchte' : 'möchten'} beitreten`,
  more: (total) =>
    `${count(total, 'weitere Maschine wartet', 'weitere Maschinen warten')}. Die neuesten sind zu sehen.`,
  selectAll: 'Alle auswählen',
  selected: (total) => `${format(total)} ausgewählt`,
  approve: 'Freigeben',
  refuse: 'Ablehnen',
  accept: 'Übernehmen',
  approveOne: (name) => `${name} freigeben`,
  refuseOne: (name) => `${name} ablehnen`,
  acceptOne: (name, edge) => `${name} als ${edge} übernehmen`,
  approveSelected: 'Ausgewählte freigeben',
  refuseSelected: 'Ausgewählte ablehnen',
  decided: {
    approve: (total) => `${machines(total)} freigegeben`,
    refuse: (total) => `${machines(total)} abgelehnt`,
    readmit: (total) => `${machines(total)} freigegeben`,
  },
  decidingFailed: 'Die Entscheidung konnte nicht gespeichert werden',
  copyOf: (edge) => `Meldet sich mit der Identität von ${edge}`,
  copyText: (edge) =>
    `Andere Hardware mit dem Token von ${edge}: ein kopierter Datenträger oder ein Datenträger in neuer Hardware. Nach der Übernahme ersetzt sie die Maschine, auf der ${edge} läuft.`,
  bareCopyText: (edge: string) =>
    `Hat das Token von ${edge}, zeigt aber keine Hardware: ein Agent einer früheren Version, ein Container oder ein gestohlenes Token. Nach der Annahme tritt sie an die Stelle der Maschine, auf der ${edge} läuft.`,
  returning: 'War schon aufgenommen',
  returningText:
    'Diese Installation hat sie aufgenommen, ihre Datenbank hat das aber verloren: Eine ältere Sicherung wurde wiederhergestellt, oder ein Standby hat übernommen. Ihre Programme laufen weiter, während sie wartet.',
  approveQuestion: (total) => `${machines(total)} freigeben?`,
  copiesText: (edges) =>
    `Maschinen ersetzen jene, auf denen diese Edges laufen: ${edges}. Geben Sie sie nur frei, wenn die Datenträger in neue Hardware eingebaut wurden.`,
  acceptQuestion: (edge) => `Diese Maschine als ${edge} übernehmen?`,
  acceptText:
    'Sie ersetzt die Maschine, auf der das Edge bisher läuft. Übernehmen Sie sie nur, wenn der Datenträger in neue Hardware eingebaut wurde.',
  refuseQuestion: (name) => `${name} ablehnen?`,
  refuseManyQuestion: (total) => `${machines(total)} ablehnen?`,
  refuseText:
    'Der Agent bleibt abgelehnt, bis die Maschine neu aufgenommen oder auf der Seite „Aufnahmeschlüssel“ freigegeben wird.',
  refuseManyText:
    'Die Agenten bleiben abgelehnt, bis ihre Maschinen neu aufgenommen oder auf der Seite „Aufnahmeschlüssel“ freigegeben werden.',
  refusedMachines: (total) => count(total, 'abgelehnte Maschine', 'abgelehnte Maschinen'),
  refusedText:
    'Ihre Agenten fragen wieder an, spätestens nach einer Stunde. Ein freigegebener verbindet sich dann.',
  moreRefused: (total) =>
    `${count(total, 'weitere Maschine', 'weitere Maschinen')}. Die neuesten sind zu sehen.`,

  model: 'Hardware',
  serial: 'Seriennummer',
  system: 'System',
  agent: 'Agent',
  addresses: 'Adressen',
  from: 'Verbindet sich von',
  since: 'Zuerst gesehen',
  noFacts: 'Der Agent macht keine Angaben zu seiner Maschine.',

  keys: 'Aufnahmeschlüssel',
  back: 'Edges',
  keysText:
    'Mit einem Schlüssel treten viele Maschinen diesem Projekt bei, etwa aus einem Image. Er endet, wenn sein Ersteller keine Edges mehr hinzufügen darf.',
  requestsFailed: 'Die Maschinen, die um Aufnahme bitten, konnten nicht geladen werden',
  keysFailed: 'Die Aufnahmeschlüssel konnten nicht geladen werden',
  noKeys: 'Keine Aufnahmeschlüssel',
  operatorsOnly: 'Nur Bediener können Schlüssel sehen und erstellen',
  workingWithKeys: 'das Ansehen und Erstellen von Schlüsseln',
  addKey: 'Schlüssel erstellen',
  name: 'Name',
  nameHint: 'Zum Beispiel „Player, Image vom Frühjahr“.',
  nameMissing: 'Geben Sie einen Namen ein',
  uses: 'Verwendungen',
  usesHint: 'So viele Maschinen dürfen beitreten. Leer: beliebig viele.',
  usesWrong: (most) => `Geben Sie eine Zahl von 1 bis ${format(most)} ein oder nichts`,
  expires: 'Läuft ab',
  days: (total) => `Nach ${count(total, 'Tag', 'Tagen')}`,
  never: 'Nie',
  tags: 'Schlagwörter',
  tagsHint: 'Jedes neue Edge erhält sie.',
  tagPlaceholder: 'Schlagwort eingeben, dann Eingabetaste',
  removeTag: (tag) => `${tag} entfernen`,
  tooManyTags: (most) => `Höchstens ${most}`,
  needsApproval: 'Maschinen warten auf Freigabe',
  needsApprovalHint: 'Jede tritt bei, sobald sie freigegeben ist.',
  adding: 'Wird erstellt',
  addFailed: 'Der Schlüssel konnte nicht erstellt werden',
  cancel: 'Abbrechen',
  keyMade: (label) => `Schlüssel ${label}`,
  keyOnce:
    'Der Schlüssel ist nur jetzt zu sehen. Legen Sie ihn dort ab, von wo Ihre Maschinen installiert werden.',
  key: 'Schlüssel',
  keyWorks: (uses, until) =>
    `Der Schlüssel gilt für ${uses === null ? 'beliebig viele Maschinen' : machines(uses)}${until === null ? '' : `, bis ${until}`}.`,
  copyKey: 'Schlüssel kopieren',
  copied: 'Kopiert',
  copyFailed: 'Kopieren fehlgeschlagen',
  close: 'Schließen',
  usesLeft: (left, used) =>
    left === null
      ? `${format(used)} verwendet, unbegrenzt`
      : `${format(left)} übrig, ${format(used)} verwendet`,
  lastUse: 'Letzte Verwendung',
  approval: 'Freigabe',
  withApproval: 'Nötig',
  withoutApproval: 'Nicht nötig',
  ended: {
    'used-up': 'Aufgebraucht',
    expired: 'Abgelaufen',
    creator: 'Ersteller nicht mehr berechtigt',
  },
  actions: 'Aktionen',
  noValue: '–',
  revoke: 'Sperren',
  revokeOne: (label) => `${label} sperren`,
  revokeQuestion: (label) => `Den Schlüssel ${label} sperren?`,
  revokeText:
    'Keine weitere Maschine kann damit beitreten. Seine Edges bleiben, und wartende Maschinen warten weiter.',
  revoked: (label) => `${label} ist gesperrt`,
}
