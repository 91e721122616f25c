import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { refusedOf } from '#platform/access/refused.ts'
import { activeProjectQuery } from '../projects/projects.queries.ts'
import { appName } from './no-access.ts'

const HomeRefusal = lazy(async () => ({
  default: (await import('#platform/access/HomeRefusal.tsx')).HomeRefusal,
}))

/** Shows on home why another page did not open and who can change that. Renders nothing without a refusal. */
export function Refused() {
  const refused = refusedOf(useLocation().state)
  const navigate = useNavigate()
  const project = useQueryClient().getQueryData(activeProjectQuery.queryKey)
  if (refused === null) return null
  return (
    <Suspense fallback={null}>
      <HomeRefusal
        refused={refused}
        label={refused.kind === 'app' ? appName(refused.appId) : ''}
        project={project}
        onClose={() => void navigate('/', { replace: true, state: null })}
      />
    </Suspense>
  )
}
