import type { ComponentType, ReactNode } from 'react'
import { usePageTitle } from '#platform/page-title.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { texts } from './home.texts.ts'
import { NoProject } from './NoProject.tsx'
import { ProjectHome } from './ProjectHome.tsx'

export interface HomePageProps {
  /** The apps of the active project, or what is given in their place when there are none. */
  AppGrid: ComponentType<{ label: string; empty: ReactNode }>
}

export function HomePage({ AppGrid }: HomePageProps) {
  usePageTitle(texts.title)
  const project = useActiveProject()
  return project ? <ProjectHome project={project} AppGrid={AppGrid} /> : <NoProject />
}
