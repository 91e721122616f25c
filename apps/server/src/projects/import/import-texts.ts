import type { Sentence } from '#platform/language.ts'

/** Number of imported items, and of all items in the export. */
type Share = readonly [number, number]

interface ImportCounts {
  media: Share
  grants: Share
  /** Number of pictures that could not be read. */
  failed: number
}

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

/** Texts for the log and the report of an import. */
export const texts = {
  mediaSkipped: (count: number): Sentence => ({
    de: `${counted(count, 'media file was', 'media files were')} skipped: importing media requires the role that edits media`,
    'de-DE': `${counted(count, 'Medium wurde', 'Medien wurden')} übersprungen: Der Import von Medien erfordert die Rolle zum Bearbeiten von Medien`,
  }),
  exists: (label: string): Sentence => ({
    de: `${label} already exists`,
    'de-DE': `${label} ist bereits vorhanden`,
  }),
  notInstalled: (sku: string): Sentence => ({
    de: `The product ${sku} is not installed here`,
    'de-DE': `Das Produkt ${sku} ist hier nicht installiert`,
  }),
  grantsSkipped: (count: number): Sentence => ({
    de: `${counted(count, 'grant was', 'grants were')} skipped: only root can import grants`,
    'de-DE': `${counted(count, 'Rolle wurde', 'Rollen wurden')} übersprungen: Nur Root kann Rollen importieren`,
  }),
  noAccount: (email: string): Sentence => ({
    de: `${email} has no account here`,
    'de-DE': `${email} hat hier kein Konto`,
  }),
  noRole: (email: string, role: string): Sentence => ({
    de: `${email}: the role ${role} does not exist`,
    'de-DE': `${email}: Die Rolle ${role} gibt es nicht`,
  }),
  holdsAlready: (email: string, role: string | null): Sentence => ({
    de: `${email} already has ${role === null ? 'a grant' : `the role ${role}`}`,
    'de-DE': `${email} hat bereits ${role === null ? 'Zugriff' : `die Rolle ${role}`}`,
  }),
  notRead: (label: string, reason: Sentence): Sentence => ({
    de: `${label}: ${reason.de}`,
    'de-DE': `${label}: ${reason['de-DE']}`,
  }),
  imported: ({ media, grants, failed }: ImportCounts): Sentence => ({
    de: [
      `Imported ${media[0]} of ${counted(media[1], 'media file', 'media files')}`,
      ` and ${grants[0]} of ${counted(grants[1], 'grant', 'grants')}`,
      ...(failed > 0 ? [`, ${counted(failed, 'picture', 'pictures')} could not be read`] : []),
    ].join(''),
    'de-DE': [
      `${media[0]} von ${counted(media[1], 'Medium', 'Medien')}`,
      ` und ${grants[0]} von ${counted(grants[1], 'Rolle', 'Rollen')} importiert`,
      ...(failed > 0 ? [`, ${counted(failed, 'Bild konnte', 'Bilder konnten')} nicht gelesen werden`] : []),
    ].join(''),
  }),
}
