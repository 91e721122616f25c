import { usePageTitle, useProject } from '@pult/sdk'
import styles from '../ProjectDetails.module.css'
import { texts } from '../project-details.texts.ts'
import { managesPeople } from '../rights.ts'
import { Invitations } from './Invitations.tsx'
import { InviteBatch } from './InviteBatch.tsx'
import { PeopleCard } from './PeopleCard.tsx'

/** Who works on the project and as what. Its owner and root change that. */
export function PeopleTab() {
  const project = useProject()
  usePageTitle(texts.people)
  return (
    <div className={styles.page}>
      <PeopleCard project={project} />
      {managesPeople(project) && <Invitations />}
      {managesPeople(project) && <InviteBatch />}
    </div>
  )
}
