import type { PageCardsProps } from '@pult/sdk'
import { Awaited } from '@pult/ui'
import { lazy, Suspense } from 'react'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { cardsOf } from './cards.ts'
import { apps } from './registry.ts'

const CardRow = lazy(async () => ({ default: (await import('./CardRow.tsx')).CardRow }))

/** The cards that apps add to the page of an edge or an organisation, or to root's page. */
export function PageCards({ place, id }: PageCardsProps) {
  const credentials = useCredentials()
  const project = useActiveProject()
  const cards = cardsOf(useStore(apps), place, credentials, project, id)
  if (cards.length === 0) return null
  return (
    <Suspense fallback={<Awaited height="160px" />}>
      <CardRow key={id} cards={cards} subject={id} />
    </Suspense>
  )
}
