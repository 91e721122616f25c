import { textsOf } from '@pult/sdk'
import { deDE } from './notes.texts.de-DE.ts'
import { en } from './notes.texts.en.ts'

export const de = {
  resource: {
    title: 'Notes',
    createTitle: 'New note',
    search: 'Search notes',
    none: 'No notes yet',
    noneText: 'Notes hold information for everyone in this project, such as directions or agreements.',
    choose: 'No note chosen',
    chooseText: 'Choose an entry from the list or create one.',
    gone: 'This note does not exist',
    goneText: 'It was deleted, or you no longer have access.',
    created: 'Note created',
    saved: 'Note saved',
    deleted: 'Note deleted',
    deleteText: (label: string) => `“${label}” is deleted for everyone in this project.`,
  },
  label: 'Label',
  text: 'Text',
  labelMissing: 'Enter a label',
  noText: 'No text',
  copyOf: (label: string) => `${label} (copy)`,
  pinned: 'Pinned',
  pin: 'Pin',
  unpin: 'Unpin',
  pinningFailed: 'Pinning the note failed',
}

export const texts = textsOf({ de, en, 'de-DE': deDE })
