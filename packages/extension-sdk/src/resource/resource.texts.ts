import { useTexts } from '../texts.ts'
import { deDE } from './resource.texts.de-DE.ts'
import { en } from './resource.texts.en.ts'

export const de = {
  create: 'Create',
  creating: 'Creating',
  creatingFailed: 'Creating failed',
  save: 'Save',
  saving: 'Saving',
  savingFailed: 'Saving failed',
  duplicate: 'Duplicate',
  delete: 'Delete',
  deleteQuestion: 'Really delete?',
  cancel: 'Cancel',
  loadingFailed: 'Loading failed',
  retry: 'Try again',
  searching: 'Searching',
  clearSearch: 'Clear the search',
  nothingFound: 'Nothing found',
  nothingFoundText: 'Try fewer or other words.',
  found: (count: string) => `${count} found`,
  changedBy: (name: string, at: string) => `Changed ${at} by ${name}`,
  changedAt: (at: string) => `Changed ${at}`,
  overtakenBy: (name: string) => `${name} has changed this meanwhile. Saving asks which version stays.`,
  overtaken: 'This has been changed meanwhile. Saving asks which version stays.',
  typedStays: 'What you have typed stays here to be read and copied.',
  removeTag: (tag: string) => `Remove ${tag}`,
  ofResource: {
    createTitle: 'New',
    search: 'Search',
    searchHint: '',
    none: 'Nothing here yet',
    noneText: 'Create the first one.',
    choose: 'Nothing chosen',
    chooseText: 'Choose one from the list, or create one.',
    gone: 'This is not there',
    goneText: 'It has been deleted, or you may not see it any more.',
    created: 'Created',
    saved: 'Saved',
    deleted: 'Deleted',
    deleteText: (label: string) => `“${label}” will be gone for everybody.`,
  },
  conflict: {
    title: 'Changed meanwhile',
    changedBy: (name: string, at: string) => `${name} has changed this on ${at}, after you began to edit it.`,
    changedAt: (at: string) => `This has been changed on ${at}, after you began to edit it.`,
    changed: 'This has been changed after you began to edit it.',
    theirs: 'Theirs',
    mine: 'Yours',
    takeTheirs: 'Take theirs',
    keepMine: 'Keep mine',
  },
}

export const useResourceTexts = () => useTexts({ de, en, 'de-DE': deDE })
export type ScaffoldTexts = typeof de
