import { useEffect } from 'react'
import { texts as deskTexts } from '#platform/desk/desk.texts.ts'
import { notify } from '#platform/notify.ts'
import { storage } from '#platform/storage.ts'
import { useActiveProject } from '../projects/projects.queries.ts'
import { NoProject } from './NoProject.tsx'
import { type HomePageProps, ProjectHome } from './ProjectHome.tsx'

export function HomePage(props: HomePageProps) {
  useEffect(reportGoneProject, [])
  const project = useActiveProject()
  return project ? <ProjectHome key={project._id} project={project} {...props} /> : <NoProject {...props} />
}

/** Reports that the page has reloaded because its project disappeared. */
function reportGoneProject(): void {
  const label = storage.goneProject.read()
  if (label === null) return
  storage.goneProject.write(null)
  notify.warning(deskTexts.home.gone(label), deskTexts.home.goneText)
}
