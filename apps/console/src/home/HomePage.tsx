import { usePageTitle } from '#platform/page-title.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { texts } from './home.texts.ts'
import { NoProject } from './NoProject.tsx'
import { ProjectHome } from './ProjectHome.tsx'

export function HomePage() {
  usePageTitle(texts.title)
  const project = useActiveProject()
  return project ? <ProjectHome project={project} /> : <NoProject />
}
