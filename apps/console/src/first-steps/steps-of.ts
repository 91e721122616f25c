import type { Credentials, FirstSteps } from '@pult/contract'
import { texts } from './first-steps.texts.ts'

export interface Step {
  id: 'account' | 'project' | 'edge' | 'secondFactor' | 'organisation' | 'invited' | 'mail' | 'backups'
  title: string
  /** The result of the step, or its purpose. */
  text: string
  isDone: boolean
  /** Null while the step depends on another one. */
  action: { label: string; href: string } | null
}

/** Returns the steps in a useful order: from the account to the first edge, then the optional ones. */
export function stepsOf(facts: FirstSteps, { firstname, lastname }: Credentials): Step[] {
  const { project, edge, edgeProject, secondFactor, organisation, invited, mail, backups } = facts
  return [
    {
      id: 'account',
      title: texts.account,
      text: texts.accountDone(`${firstname} ${lastname}`),
      isDone: true,
      action: null,
    },
    {
      id: 'project',
      title: texts.project,
      text: project?.label ?? texts.projectText,
      isDone: project !== null,
      action: { label: texts.projectAction, href: '/projects/create' },
    },
    {
      id: 'edge',
      title: texts.edge,
      text: edge?.label ?? (edgeProject === null ? texts.edgeLater : texts.edgeText),
      isDone: edge !== null,
      action:
        edgeProject === null
          ? null
          : { label: texts.edgeAction, href: `/app/edges/create?project=${edgeProject}` },
    },
    {
      id: 'secondFactor',
      title: texts.secondFactor,
      text: secondFactor === null ? texts.secondFactorText : texts[secondFactor],
      isDone: secondFactor !== null,
      action: { label: texts.secondFactorAction, href: '/me/otp' },
    },
    {
      id: 'organisation',
      title: texts.organisation,
      text: organisation?.label ?? texts.organisationText,
      isDone: organisation !== null,
      action: { label: texts.organisationAction, href: '/orgs/create' },
    },
    {
      id: 'invited',
      title: texts.invited,
      text: invited ?? texts.invitedText,
      isDone: invited !== null,
      action: { label: texts.invitedAction, href: '/app/accounts/create' },
    },
    {
      id: 'mail',
      title: texts.mail,
      text: mail ? texts.mailDone : texts.mailText,
      isDone: mail,
      action: { label: texts.mailAction, href: '/root' },
    },
    ...(backups === undefined
      ? []
      : [
          {
            id: 'backups' as const,
            title: texts.backups,
            text: backups ? texts.backupsDone : texts.backupsText,
            isDone: backups,
            action: { label: texts.backupsAction, href: '/root' },
          },
        ]),
  ]
}
