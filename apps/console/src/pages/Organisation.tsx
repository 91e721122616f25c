import { lazy } from 'react'
import { PageCards } from '../extensions/PageCards.tsx'
import { OrganisationPage } from '../organisations/OrganisationPage.tsx'

const Projects = lazy(async () => ({
  default: (await import('../projects/ProjectsOfOrganisation.tsx')).ProjectsOfOrganisation,
}))

/** The page of an organisation with the parts of other rooms. */
export function Organisation() {
  return <OrganisationPage Projects={Projects} Cards={PageCards} />
}
