import { inert } from '#platform/mail/inert.ts'
import { writeLetter } from '#platform/mail/letter.ts'
import type { OutgoingMail } from '#platform/mail/mail.ts'
import type { AwayEdge } from './alert.repository.ts'

const namedMost = 20

/** Writes one mail for all edges of a project that went offline together, often because of their network. */
export function offlineLetter({
  to,
  edges,
  publicUrl,
}: {
  to: string
  edges: readonly AwayEdge[]
  publicUrl: string
}): OutgoingMail {
  const project = inert(edges[0]?.projectLabel ?? '')
  const many = edges.length > 1
  const more = edges.length - namedMost
  const named = edges
    .slice(0, namedMost)
    .map(
      ({ label, offlineSince }) =>
        `${inert(label)} (${offlineSince.toISOString().slice(0, 16).replace('T', ' ')} UTC)`,
    )
  const first = inert(edges[0]?.label ?? '')
  const address = new URLSearchParams({ project: edges[0]?.projectId ?? '', state: 'offline' })
  return writeLetter({
    kind: 'edges-offline',
    to,
    link: `${publicUrl}/app/edges?${address.toString()}`,
    parts: [
      {
        language: 'de',
        subject: many ? `${edges.length} Edges sind offline` : `Edge offline: ${first}`,
        paragraphs: [
          'Hallo,',
          `im Projekt „${project}“ ${many ? 'melden sich Edges' : 'meldet sich ein Edge'} nicht mehr, zuletzt gesehen:`,
          ...named,
          ...(more > 0 ? [`und ${more} weitere.`] : []),
        ],
        action: 'Edges anzeigen',
        note: 'Sie erhalten diese Nachricht einmal je Ausfall. Die Wartezeit ist beim Edge eingestellt.',
      },
      {
        language: 'en',
        subject: many ? `${edges.length} edges are offline` : `Edge offline: ${first}`,
        paragraphs: [
          'Hello,',
          `In the project "${project}" ${many ? 'edges have' : 'an edge has'} stopped reporting, last seen:`,
          ...named,
          ...(more > 0 ? [`and ${more} more.`] : []),
        ],
        action: 'View edges',
        note: 'You receive this message once for each outage. The delay is a setting of the edge.',
      },
    ],
  })
}
