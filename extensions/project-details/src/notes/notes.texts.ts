import { textsOf } from '@pult/sdk'
import { deDE } from './notes.texts.de-DE.ts'
import { en } from './notes.texts.en.ts'

export const de = {
  resource: {
    title: 'Notes',
    createTitle: 'New note',
    search: 'Search notes',
    searchHint: 'Words, or label:, pinned:true',
    none: 'No notes yet',
    noneText:
      'Write down what everybody in this project should know: how to reach the hall, what was agreed.',
    choose: 'No note chosen',
    chooseText: 'Choose one from the list, or create one.',
    gone: 'There is no such note',
    goneText: 'It has been deleted, or you may not see it any more.',
    created: 'Note created',
    saved: 'Note saved',
    deleted: 'Note deleted',
    deleteText: (label: string) => `“${label}” will be gone for everybody in this project.`,
  },
  label: 'Label',
  text: 'Text',
  labelMissing: 'Please enter a label',
  noText: 'No text',
  copyOf: (label: string) => `${label} (copy)`,
  pinned: 'Pinned',
  pin: 'Pin',
  unpin: 'Unpin',
  pinningFailed: 'Pinning the note failed',
}

export const texts = textsOf({ de, en, 'de-DE': deDE })
