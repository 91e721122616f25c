import { textsOf } from '@pult/sdk'
import { deDE } from './tokens.texts.de-DE.ts'

export const de = {
  title: 'Tasks & tokens',
  tokens: 'Task tokens',
  text: 'With a task token an extension’s service creates and drives tasks of this project and uploads their files. It grants no other access.',
  forEditors: 'The project’s owner, the owner of its organisation and root manage its task tokens.',
  loadingFailed: 'The task tokens could not be loaded',
  none: 'No task tokens yet.',
  label: 'Label',
  types: 'Kinds of tasks',
  created: 'Created',
  expires: 'Expires',
  expired: 'Expired',
  creatorGone: 'Ended: its creator may no longer edit the project',
  lastUsed: 'Last used',
  never: 'Never',
  by: (name: string) => `by ${name}`,
  actions: 'Actions',

  add: 'New task token',
  labelHint: 'The service that uses it.',
  allOf: (extension: string) => `All kinds of ${extension}`,
  lifetime: 'Expires after',
  days: (count: number) => `${count} days`,
  noTypes: 'The project’s products have no tasks for services.',
  create: 'Create task token',
  creating: 'Creating',
  createFailed: 'Creating the task token failed',
  made: (label: string) => `Task token for ${label}`,
  madeText:
    'It is shown only now. The service sends it with every call: authorization: Bearer, then the token.',
  token: 'Task token',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Copying failed',

  revoke: 'Revoke',
  revokeOf: (label: string) => `Revoke ${label}`,
  revokeQuestion: 'Revoke this task token?',
  revokeText: (label: string) =>
    `Further calls by ${label} are rejected. Its running tasks end when their leases expire.`,
  revoked: 'Task token revoked',
  cancel: 'Cancel',
}

export const texts = textsOf({ de, 'de-DE': deDE })
