import { textsOf } from '@pult/sdk'
import { deDE } from './access.texts.de-DE.ts'

export const de = {
  needs: (subject: string, roles: readonly string[]) => `${subject} needs the role ${roles.join(' or ')}.`,
  askOwner: (owner: string) => `Ask ${owner}, who owns the project.`,
  askRoot: 'Only root can open it. Ask the people who administer this installation.',
  askAdministrators: 'Ask the people who administer this installation.',
  chooseProject: 'Choose a project first. If you have none, ask the owner of one for access.',
  contact: 'Contact',
  noApp: 'You cannot open this app',
  noAppText: (label: string, isOfProject: boolean) =>
    `You do not have access to ${label}${isOfProject ? ' in this project' : ''}.`,
  appIsOff: (label: string) => `${label} is not available`,
  appIsOffText: (isOfProject: boolean): string =>
    isOfProject
      ? 'Root has switched it off, or this project does not use its product.'
      : 'It is not installed, or it is switched off.',
  noPage: 'You cannot open this page',
  noRoot: 'It is for administering the whole installation.',
  noProject: 'You do not have access to this project',
  noProjectText: (email: string) =>
    `It was deleted, or you have no role in it. Ask the person who gave you the link: the project’s owner can invite ${email}.`,
  ask: 'Ask for access',
  close: 'Close this notice',
  /** Beside the time. */
  asked: (role: string) => `You asked for the role ${role}`,
  invited: (role: string) => `An invitation with the role ${role} is in your inbox`,
  granted: (name: string | null, role: string) => `${name ?? 'Root'} gave you the role ${role}`,
  declined: (name: string | null, role: string) => `${name ?? 'Root'} declined the role ${role}`,
  role: 'Role',
  message: 'Message (optional)',
  sendsTo: (owner: string) => `${owner} and root see the request with your name and e-mail address.`,
  noRoleOpens: 'No role of this project opens this app.',
  noRoles: 'You have every role of this project.',
  cancel: 'Cancel',
  send: 'Send request',
  sending: 'Sending',
  sent: 'Request sent',
  sentText: (owner: string) => `${owner} can give you the role or decline.`,
  failed: 'The request was not sent',
  offerFailed: 'The roles could not be loaded',
  retry: 'Try again',
}

/** The texts of refusals and of "Ask for access". They load with the first refusal. */
export const texts = textsOf({ de, 'de-DE': deDE })
