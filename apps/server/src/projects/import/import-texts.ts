import type { Sentence } from '#platform/language.ts'

/** Done and total. */
type Share = readonly [number, number]

interface Brought {
  media: Share
  grants: Share
  /** Pictures that failed. */
  failed: number
}

/** Texts for the log and the report of an import. */
export const texts = {
  mediaLeftOut: (count: number): Sentence => ({
    de: `${count} media were skipped: importing media needs the role that edits media`,
    'de-DE': `${count} Medien blieben weg: Nur wer Medien bearbeiten darf, bringt sie mit`,
  }),
  isThere: (label: string): Sentence => ({
    de: `${label} already exists`,
    'de-DE': `${label} ist bereits vorhanden`,
  }),
  notInstalled: (sku: string): Sentence => ({
    de: `The product ${sku} is not installed here`,
    'de-DE': `Das Produkt ${sku} ist hier nicht installiert`,
  }),
  grantsLeftOut: (count: number): Sentence => ({
    de: `${count} grants were skipped: only root can import grants`,
    'de-DE': `${count} Zugriffe blieben weg: Nur Root bringt sie mit`,
  }),
  notKnown: (email: string): Sentence => ({
    de: `${email} has no account here`,
    'de-DE': `${email} ist hier nicht bekannt`,
  }),
  noRole: (email: string, role: string): Sentence => ({
    de: `${email}: the role ${role} does not exist`,
    'de-DE': `${email}: Es gibt keine Rolle ${role}`,
  }),
  holdsAlready: (email: string, role: string | null): Sentence => ({
    de: `${email} holds ${role ?? 'a grant'} already`,
    'de-DE': `${email} hat ${role ?? 'einen Zugriff'} schon`,
  }),
  notRead: (label: string, reason: Sentence): Sentence => ({
    de: `${label}: ${reason.de}`,
    'de-DE': `${label}: ${reason['de-DE']}`,
  }),
  brought: ({ media, grants, failed }: Brought): Sentence => ({
    de: [
      `${media[0]} of ${media[1]} media`,
      `${grants[0]} of ${grants[1]} grants`,
      ...(failed > 0 ? [`${failed} pictures could not be read`] : []),
    ].join(', '),
    'de-DE': [
      `${media[0]} von ${media[1]} Medien`,
      `${grants[0]} von ${grants[1]} Zugriffen`,
      ...(failed > 0 ? [`${failed} Bilder konnten nicht gelesen werden`] : []),
    ].join(', '),
  }),
}
