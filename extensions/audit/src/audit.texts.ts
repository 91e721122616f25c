import { textsOf } from '@pult/sdk'
import { deDE } from './audit.texts.de-DE.ts'
import { en } from './audit.texts.en.ts'

export const de = {
  /** Where it happened. */
  rooms: {
    signIn: 'Sign-in',
    account: 'Account',
    people: 'People',
    organizations: 'Organizations',
    projects: 'Projects',
    edges: 'Edges',
    extensions: 'Extensions',
  },
  /** What happened, by the room it happened in. */
  events: {
    signIn: {
      'login.password': 'Sign-in with password',
      'login.otp': 'Sign-in with one-time password',
      'login.passkey': 'Sign-in with passkey',
      'login.confirmed': 'Identity confirmed',
      'session.ended': 'Session ended',
      'sessions.ended': 'Sessions ended',
    },
    account: {
      'profile.changed': 'Profile changed',
      'password.changed': 'Password changed',
      'password.reset-requested': 'Password reset requested',
      'password.reset': 'Password reset by link',
      'password.locked': 'Password locked after too many failures',
      'password.unlocked': 'Password unlocked',
      'email.added': 'E-mail address added',
      'email.verified': 'E-mail address verified',
      'email.removed': 'E-mail address removed',
      'email.default-changed': 'Default address changed',
      'passkey.added': 'Passkey added',
      'passkey.removed': 'Passkey deleted',
      'passkey.suspicious': 'Passkey refused, it may have been copied',
      'otp.enabled': 'Second factor enabled',
      'otp.disabled': 'Second factor disabled',
      'otp.reset': 'Second factor reset by root',
      'otp.codes-renewed': 'Recovery codes regenerated',
      'otp.recovery-requested': 'Second factor recovery requested',
      'otp.recovered': 'Second factor recovered',
    },
    people: {
      'person.promoted': 'Made root',
      'person.demoted': 'Root taken away',
      'person.disabled': 'Account disabled',
      'person.enabled': 'Account enabled',
      'person.removed': 'Account deleted',
      'invitation.created': 'Invitation sent',
      'invitation.redeemed': 'Invitation accepted',
      'invitation.revoked': 'Invitation revoked',
      'link.redeemed': 'Mailed link used',
    },
    organizations: {
      'organisation.created': 'Organization created',
      'organisation.changed': 'Organization changed',
      'organisation.removed': 'Organization deleted',
      'membership.added': 'Member added',
      'membership.removed': 'Member removed',
    },
    projects: {
      'project.created': 'Project created',
      'project.changed': 'Project changed',
      'project.removed': 'Project deleted',
      'project.exported': 'Project exported',
      'project.imported': 'Project imported',
      'grant.added': 'Access given',
      'grant.changed': 'Role changed',
      'grant.removed': 'Access removed',
      'note.created': 'Note created',
      'note.changed': 'Note changed',
      'note.removed': 'Note deleted',
      'notes.removed': 'All notes deleted',
      'medium.created': 'Medium added',
      'medium.changed': 'Medium changed',
      'medium.removed': 'Medium deleted',
      'media.removed': 'Media deleted',
      'task.aborted': 'Task aborted',
      'task.archived': 'Task archived',
      'task-token.created': 'Task token made',
      'task-token.revoked': 'Task token revoked',
      'deck-key.pressed': 'Key of a Stream Deck pressed',
    },
    edges: {
      'edge.created': 'Edge added',
      'edge.changed': 'Edge changed',
      'edge.code-made': 'Enrolment code made',
      'edge.enrolled': 'Edge enrolled',
      'edge.revoked': 'Edge locked out',
      'edge.removed': 'Edge deleted',
      'edge.restarted': 'Restart begun',
      'edge.diagnosed': 'Diagnostics begun',
    },
    extensions: {
      'extension.installed': 'Extension installed',
      'extension.removed': 'Extension removed',
      'extension.backend-changed': 'Backend of an extension changed',
      'extension.enabled': 'Extension enabled',
      'extension.disabled': 'Extension disabled',
    },
  },

  search: 'Search',
  searchHint: 'Words in names, addresses and targets.',
  filters: 'Filters',
  who: 'Who',
  whoHint: 'The beginning of a name.',
  what: 'What',
  everything: 'Everything',
  target: 'Target',
  targetHint: 'The beginning of an id or an address.',
  result: 'Result',
  anyResult: 'Any result',
  success: 'Success',
  failure: 'Failure',
  project: 'Project',
  projectHint: 'The beginning of its name, or its id.',
  from: 'From',
  until: 'Until',
  filtersSet: (count: number) => `${count} set`,
  clear: 'Clear filters',

  exportCsv: 'Export as CSV',
  exportJson: 'Export as JSON lines',
  exporting: 'Exporting',
  exportFailed: 'The export failed',

  log: 'Events',
  when: 'When',
  address: 'Address',
  actions: 'Actions',
  installation: 'The installation',
  somebodyGone: 'Somebody who is gone',
  count: (total: number, isCapped: boolean) =>
    `${isCapped ? 'More than ' : ''}${total.toLocaleString('de-DE')} ${total === 1 ? 'event' : 'events'}`,
  pages: 'Pages of events',
  newerPage: 'Newer events',
  olderPage: 'Older events',
  newest: (count: number, isMore: boolean) =>
    `Show ${isMore ? 'more than ' : ''}${count} new ${count === 1 && !isMore ? 'event' : 'events'}`,
  loadingFailed: 'The events could not be loaded',
  nothingFound: 'No event found',
  nothingFoundText: 'Try fewer filters or other words.',

  details: 'Details',
  detailsOf: (event: string, instant: string) => `Details of ${event}, ${instant}`,
  id: 'Id',
  event: 'Event',
  before: (value: string) => `before: ${value}`,
  formerly: 'Before',
  asJson: 'As JSON',
  copy: 'Copy JSON',
  copied: 'Copied',
  copyFailed: 'Copying failed',
  close: 'Close',
}

export const texts = textsOf({ de, en, 'de-DE': deDE })

export const eventRooms = Object.keys(texts.rooms) as (keyof typeof texts.rooms)[]

const labels: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(texts.events)) as Record<
  string,
  string
>

/** What happened, in words. What has none is shown by its name. */
export const labelOf = (event: string) => labels[event] ?? event
