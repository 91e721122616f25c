import type { Credentials, Project } from '@pult/contract'
import { hasRole, mayOpenApp } from './app-access.ts'
import { type App, type AppManifest, isRootApp } from './registry.ts'

export type CardManifest = NonNullable<AppManifest['cards']>[number]

/** A card of an app. */
export interface AppCard {
  /** Unique across the console. */
  key: string
  app: App
  card: CardManifest
}

const perApp = 2

/**
 * Returns the cards that the user may see at a place, by priority, at most two of each app. `orgId` is the organisation
 * of the page.
 */
export function cardsOf(
  shown: readonly App[],
  place: CardManifest['place'],
  credentials: Credentials,
  project: Project | null,
  orgId: string | null = null,
): AppCard[] {
  return shown
    .flatMap((app) => {
      const at = isRootApp(app) ? null : project
      if (!belongs(app, place, project, orgId)) return []
      if (app.state.status === 'broken' || !mayOpenApp(app.manifest, credentials, at)) return []
      return (app.manifest.cards ?? [])
        .filter((card) => card.place === place)
        .filter(({ role }) => role === undefined || hasRole(credentials, at, role))
        .toSorted((a, b) => a.priority - b.priority)
        .slice(0, perApp)
        .map((card) => ({ key: `${app.manifest.id}/${card.id}`, app, card }))
    })
    .toSorted((a, b) => a.card.priority - b.card.priority)
}

/** Returns whether a card belongs on a page. An organisation's page shows only cards of the organisation's projects. */
function belongs(
  app: App,
  place: CardManifest['place'],
  project: Project | null,
  orgId: string | null,
): boolean {
  if (isRootApp(app) || place === 'home' || place === 'edge') return true
  return place === 'organisation' && project !== null && project.org === orgId
}
