import { useTexts } from '../texts.ts'
import { deDE } from './resource.texts.de-DE.ts'

export const de = {
  create: 'Create',
  creating: 'Creating',
  creatingFailed: 'Creating failed',
  save: 'Save',
  saving: 'Saving',
  savingFailed: 'Saving failed',
  duplicate: 'Duplicate',
  delete: 'Delete',
  offline: 'You are offline. The page loads when the connection is back.',
  deleteQuestion: 'Really delete?',
  cancel: 'Cancel',
  loadingFailed: 'Loading failed',
  retry: 'Try again',
  reloadPage: 'Reload the page',
  searching: 'Searching',
  nothingFound: 'Nothing found',
  nothingFoundText: 'Try fewer or different words.',
  found: (count: string) => `${count} found`,
  changedBy: (name: string, at: string) => `Changed ${at} by ${name}`,
  changedAt: (at: string) => `Changed ${at}`,
  overtakenBy: (name: string) =>
    `${name} has changed this in the meantime. When you save, you choose which version to keep.`,
  overtaken: 'This was changed in the meantime. When you save, you choose which version to keep.',
  typedStays: 'Your input stays here so that you can copy it.',
  removeTag: (tag: string) => `Remove ${tag}`,
  ofResource: {
    createTitle: 'New',
    search: 'Search',
    none: 'Nothing here yet',
    noneText: 'Create the first one.',
    choose: 'Nothing chosen',
    chooseText: 'Choose an entry from the list or create one.',
    gone: 'Not found',
    goneText: 'It was deleted, or you no longer have access.',
    created: 'Created',
    saved: 'Saved',
    deleted: 'Deleted',
    deleteText: (label: string) => `“${label}” is deleted for everyone.`,
  },
  conflict: {
    title: 'Changed in the meantime',
    changedBy: (name: string, at: string) => `${name} changed this on ${at}, after you started editing.`,
    changedAt: (at: string) => `This was changed on ${at}, after you started editing.`,
    changed: 'This was changed after you started editing.',
    theirs: 'Theirs',
    mine: 'Yours',
    takeTheirs: 'Take theirs',
    keepMine: 'Keep mine',
  },
}

export const useResourceTexts = () => useTexts({ de, 'de-DE': deDE })
export type ScaffoldTexts = typeof de
