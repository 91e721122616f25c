import { textsOf } from '@pult/sdk'
import { deDE } from './tokens.texts.de-DE.ts'
import { en } from './tokens.texts.en.ts'

export const de = {
  title: 'Tasks & tokens',
  tokens: 'Task tokens',
  text: 'With a task token the service of an extension creates tasks of this project and drives them. It opens nothing else but the upload of their files.',
  forEditors: 'The project’s owner, the owner of its organization and root manage its task tokens.',
  loadingFailed: 'The task tokens could not be loaded',
  none: 'No service drives tasks of this project yet.',
  label: 'Label',
  types: 'Kinds of tasks',
  created: 'Created',
  lastUsed: 'Last used',
  never: 'Never',
  by: (name: string) => `by ${name}`,
  actions: 'Actions',

  add: 'New task token',
  labelHint: 'For which service it is.',
  allOf: (extension: string) => `All kinds of ${extension}`,
  noTypes: 'None of the project’s products brings tasks that a service drives.',
  create: 'Create task token',
  creating: 'Creating',
  createFailed: 'Creating the task token failed',
  made: (label: string) => `Task token for ${label}`,
  madeText:
    'It is shown this once. The service shows it with every call: authorization: Bearer, then the token.',
  token: 'Task token',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Copying failed',

  revoke: 'Revoke',
  revokeOf: (label: string) => `Revoke ${label}`,
  revokeQuestion: 'Revoke this task token?',
  revokeText: (label: string) =>
    `The next call of ${label} is refused. What it drives now ends when its lease runs out.`,
  revoked: 'Task token revoked',
  cancel: 'Cancel',
}

export const texts = textsOf({ de, en, 'de-DE': deDE })
