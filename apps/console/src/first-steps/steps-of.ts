import type { Credentials, FirstSteps } from '@pult/contract'
import { texts } from './first-steps.texts.ts'

export interface Step {
  id: 'account' | 'project' | 'edge' | 'secondFactor' | 'organisation' | 'invited' | 'mail'
  title: string
  /** What has been done, or what it is for. */
  text: string
  isDone: boolean
  /** Null while another step has to come first. */
  deed: { label: string; href: string } | null
}

/** The steps in the order in which they help: from the account to the first edge, then what can wait. */
export function stepsOf(facts: FirstSteps, { firstname, lastname }: Credentials): Step[] {
  const { project, edge, edgeProject, secondFactor, organisation, invited, mail } = facts
  return [
    {
      id: 'account',
      title: texts.account,
      text: texts.accountDone(`${firstname} ${lastname}`),
      isDone: true,
      deed: null,
    },
    {
      id: 'project',
      title: texts.project,
      text: project?.label ?? texts.projectText,
      isDone: project !== null,
      deed: { label: texts.projectDeed, href: '/projects/create' },
    },
    {
      id: 'edge',
      title: texts.edge,
      text: edge?.label ?? (edgeProject === null ? texts.edgeLater : texts.edgeText),
      isDone: edge !== null,
      deed:
        edgeProject === null
          ? null
          : { label: texts.edgeDeed, href: `/app/edges/create?project=${edgeProject}` },
    },
    {
      id: 'secondFactor',
      title: texts.secondFactor,
      text: secondFactor === null ? texts.secondFactorText : texts[secondFactor],
      isDone: secondFactor !== null,
      deed: { label: texts.secondFactorDeed, href: '/me/otp' },
    },
    {
      id: 'organisation',
      title: texts.organisation,
      text: organisation?.label ?? texts.organisationText,
      isDone: organisation !== null,
      deed: { label: texts.organisationDeed, href: '/orgs/create' },
    },
    {
      id: 'invited',
      title: texts.invited,
      text: invited ?? texts.invitedText,
      isDone: invited !== null,
      deed: { label: texts.invitedDeed, href: '/app/accounts/create' },
    },
    {
      id: 'mail',
      title: texts.mail,
      text: mail ? texts.mailDone : texts.mailText,
      isDone: mail,
      deed: { label: texts.mailDeed, href: '/root' },
    },
  ]
}
