import { Awaited } from '@pult/ui'
import { lazy, Suspense } from 'react'
import { useCredentials } from '#platform/use-credentials.ts'
import { useStore } from '#platform/use-store.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { cardsOf } from './cards.ts'
import { apps } from './registry.ts'

// Most projects have no cards, so their code is not part of the frame.
const CardGrid = lazy(async () => ({ default: (await import('./CardGrid.tsx')).CardGrid }))

/** The cards that the project's apps add to its home. */
export function HomeCards() {
  const credentials = useCredentials()
  const project = useActiveProject()
  const cards = cardsOf(useStore(apps), 'home', credentials, project)
  if (project === null || cards.length === 0) return null
  return (
    <Suspense fallback={<Awaited height="160px" />}>
      <CardGrid key={project._id} cards={cards} />
    </Suspense>
  )
}
