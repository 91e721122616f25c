import { textsOf } from '@pult/sdk'
import { deDE } from './joining.texts.de-DE.ts'

const format = (value: number) => value.toLocaleString(document.documentElement.lang)
const count = (total: number, one: string, many: string) => `${format(total)} ${total === 1 ? one : many}`
const machines = (total: number) => count(total, 'machine', 'machines')

export const de = {
  waiting: (total: number) => `${machines(total)} ${total === 1 ? 'asks' : 'ask'} to join`,
  more: (total: number) =>
    `${count(total, 'more machine waits', 'more machines wait')}. The newest ones are shown.`,
  selectAll: 'Select all',
  selected: (total: number) => `${format(total)} selected`,
  approve: 'Approve',
  refuse: 'Refuse',
  accept: 'Accept',
  approveOne: (name: string) => `Approve ${name}`,
  refuseOne: (name: string) => `Refuse ${name}`,
  acceptOne: (name: string, edge: string) => `Accept ${name} as ${edge}`,
  approveSelected: 'Approve selected',
  refuseSelected: 'Refuse selected',
  decided: {
    approve: (total: number) => `${machines(total)} approved`,
    refuse: (total: number) => `${machines(total)} refused`,
    readmit: (total: number) => `${machines(total)} approved`,
  },
  decidingFailed: 'The decision could not be saved',
  copyOf: (edge: string) => `Presents the identity of ${edge}`,
  copyText: (edge: string) =>
    `Other hardware with the token of ${edge}: a copied disk, or a disk in new hardware. Once accepted, it takes the place of the machine that ${edge} runs on.`,
  bareCopyText: (edge: string) =>
    `It has the token of ${edge} but shows no hardware: an agent of an earlier release, a container, or a stolen token. Once accepted, it takes the place of the machine that ${edge} runs on.`,
  returning: 'Was enrolled before',
  returningText:
    'This installation enrolled it, but its database has lost the enrolment: an older backup was restored, or a standby took over. It continues with its programs while it waits.',
  approveQuestion: (total: number) => `Approve ${machines(total)}?`,
  copiesText: (edges: string) =>
    `Machines take the place of those that these edges run on: ${edges}. Approve them only if the disks were moved to new hardware.`,
  acceptQuestion: (edge: string) => `Accept this machine as ${edge}?`,
  acceptText:
    'It takes the place of the machine that the edge has run on so far. Accept it only if the disk was moved to new hardware.',
  refuseQuestion: (name: string) => `Refuse ${name}?`,
  refuseManyQuestion: (total: number) => `Refuse ${machines(total)}?`,
  refuseText:
    'The agent stays refused until the machine is enrolled again, or approved on the page “Enrolment keys”.',
  refuseManyText:
    'The agents stay refused until their machines are enrolled again, or approved on the page “Enrolment keys”.',
  refusedMachines: (total: number) => count(total, 'refused machine', 'refused machines'),
  refusedText: 'Their agents ask again, at most after an hour. An approved one can then connect.',
  moreRefused: (total: number) =>
    `${count(total, 'more machine', 'more machines')}. The newest ones are shown.`,

  model: 'Hardware',
  serial: 'Serial number',
  system: 'System',
  agent: 'Agent',
  addresses: 'Addresses',
  from: 'Connects from',
  since: 'First seen',
  noFacts: 'Its agent reports no facts about the machine.',

  keys: 'Enrolment keys',
  back: 'Edges',
  keysText:
    'A key lets many machines join this project, for example from one image. It ends when its creator may no longer add edges.',
  requestsFailed: 'The machines that ask to join could not be loaded',
  keysFailed: 'The enrolment keys could not be loaded',
  noKeys: 'No enrolment keys',
  operatorsOnly: 'Only operators can see and create keys',
  workingWithKeys: 'Seeing and creating keys',
  addKey: 'Create key',
  name: 'Name',
  nameHint: 'Such as “Players, spring image”.',
  nameMissing: 'Enter a name',
  uses: 'Uses',
  usesHint: 'Machines that may join. Empty: any number.',
  usesWrong: (most: number) => `Enter a number from 1 to ${format(most)}, or nothing`,
  expires: 'Expires',
  days: (total: number) => `After ${count(total, 'day', 'days')}`,
  never: 'Never',
  tags: 'Tags',
  tagsHint: 'Each new edge gets them.',
  tagPlaceholder: 'Type a tag, then Enter',
  removeTag: (tag: string) => `Remove ${tag}`,
  tooManyTags: (most: number) => `At most ${most}`,
  needsApproval: 'Machines wait for approval',
  needsApprovalHint: 'Each one joins after a user has approved it.',
  adding: 'Creating',
  addFailed: 'The key could not be created',
  cancel: 'Cancel',
  keyMade: (label: string) => `Key ${label}`,
  keyOnce: 'The key is shown only now. Store it where your machines are installed from.',
  key: 'Key',
  keyWorks: (uses: number | null, until: string | null) =>
    `The key works for ${uses === null ? 'any number of machines' : machines(uses)}${until === null ? '' : `, until ${until}`}.`,
  copyKey: 'Copy key',
  copied: 'Copied',
  copyFailed: 'Copying failed',
  close: 'Close',
  usesLeft: (left: number | null, used: number) =>
    left === null ? `${format(used)} used, no limit` : `${format(left)} left, ${format(used)} used`,
  lastUse: 'Last use',
  approval: 'Approval',
  withApproval: 'Needed',
  withoutApproval: 'Not needed',
  ended: {
    'used-up': 'Used up',
    expired: 'Expired',
    creator: 'Creator may no longer add edges',
  },
  actions: 'Actions',
  noValue: '–',
  revoke: 'Revoke',
  revokeOne: (label: string) => `Revoke ${label}`,
  revokeQuestion: (label: string) => `Revoke the key ${label}?`,
  revokeText: 'No further machine can join with it. Its edges stay, and waiting machines keep waiting.',
  revoked: (label: string) => `${label} is revoked`,
}

export const texts = textsOf({ de, 'de-DE': deDE })
