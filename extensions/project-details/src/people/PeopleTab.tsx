import { usePageTitle, useProject } from '@pult/sdk'
import styles from '../ProjectDetails.module.css'
import { texts } from '../project-details.texts.ts'
import { managesPeople } from '../rights.ts'
import { InviteBatch } from './InviteBatch.tsx'
import { PeopleCard } from './PeopleCard.tsx'

/** The project's people with their roles, and pending invitations. Owners change roles; root adds and removes them. */
export function PeopleTab() {
  const project = useProject()
  usePageTitle(texts.people)
  return (
    <div className={styles.page}>
      <PeopleCard project={project} />
      {managesPeople(project) && <InviteBatch />}
    </div>
  )
}
