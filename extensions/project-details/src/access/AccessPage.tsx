import {
  AppLink,
  PageTabs,
  useAppNavigate,
  useAppParams,
  useCredentials,
  usePageTitle,
  useProject,
} from '@pult/sdk'
import type { OrganisationMember, Project } from '@pult/sdk/api'
import { Alert, Card, SelectField } from '@pult/sdk/ui'
import { useState } from 'react'
import page from '../ProjectDetails.module.css'
import { holdersOf } from '../people/holders.ts'
import { useLiveWithProject, useOrganisationMembers } from '../project-details.queries.ts'
import { texts } from '../project-details.texts.ts'
import { mayEdit } from '../rights.ts'
import styles from './Access.module.css'
import { AccessChain } from './AccessChain.tsx'
import { type Place, Places } from './Places.tsx'

/** Explains why a person can or cannot open each app and tab of the project. */
export function AccessPage() {
  const project = useProject()
  if (!mayEdit(project)) return <Alert tone="info">{texts.accessForEditors}</Alert>
  return <Explanation project={project} />
}

function Explanation({ project }: { project: Project }) {
  const { personId = '' } = useAppParams()
  const navigate = useAppNavigate()
  const { data: members = [] } = useOrganisationMembers()
  useLiveWithProject()
  const people = useAskable(project, members)
  const name = people.find(({ id }) => id === personId)?.name ?? texts.person
  usePageTitle(texts.accessTitle(name))
  const [place, setPlace] = useState<Place>({ label: texts.theProject })

  const inProject = people.filter(({ isInProject }) => isInProject)
  const inOrganisation = people.filter(({ isInProject }) => !isInProject)
  return (
    <div className={page.page}>
      <p>
        <AppLink to="people" className={styles.link ?? ''}>
          ← {texts.allPeople}
        </AppLink>
      </p>
      <PageTabs page="person" id={personId} label={texts.access}>
        <Card title={texts.access} flush>
          <div className={styles.question}>
            <SelectField
              className={styles.person}
              label={texts.person}
              description={texts.accessText}
              value={personId}
              onChange={({ target }) => navigate(`people/${target.value}`, { replace: true })}
            >
              {!people.some(({ id }) => id === personId) && <option value={personId}>{personId}</option>}
              <Choices label={texts.inProject} people={inProject} />
              <Choices label={texts.inOrganization} people={inOrganisation} />
            </SelectField>
          </div>
          <div className={styles.explanation}>
            <Places personId={personId} chosen={place} onChoose={setPlace} />
            <AccessChain key={personId} personId={personId} name={name} place={place} />
          </div>
        </Card>
      </PageTabs>
    </div>
  )
}

interface Askable {
  id: string
  name: string
  isInProject: boolean
}

/**
 * Returns people with access, members of the organisation (who may look for the missing step), and the current user.
 */
function useAskable(project: Project, members: readonly OrganisationMember[]): Askable[] {
  const { _id, firstname, lastname } = useCredentials()
  const candidates = [
    ...holdersOf(project, members).map(({ personId, name }) => ({ id: personId, name, isInProject: true })),
    { id: _id, name: `${firstname} ${lastname}`, isInProject: true },
    ...members.map((member) => ({
      id: member._id,
      name: `${member.firstname} ${member.lastname}`,
      isInProject: false,
    })),
  ]
  return [...new Map(candidates.toReversed().map((one) => [one.id, one])).values()].toReversed()
}

function Choices({ label, people }: { label: string; people: readonly Askable[] }) {
  if (people.length === 0) return null
  return (
    <optgroup label={label}>
      {people.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </optgroup>
  )
}
