import { textsOf } from '../locale.ts'

export const texts = textsOf({
  de: {
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
    searching: 'Searching',
    nothingFound: 'Nothing found',
    nothingFoundText: 'Try fewer or other words.',
    found: (count: string) => `${count} found`,
    changedBy: (name: string, at: string) => `Changed ${at} by ${name}`,
    changedAt: (at: string) => `Changed ${at}`,
    overtakenBy: (name: string) => `${name} has changed this meanwhile. Saving asks which version stays.`,
    overtaken: 'This has been changed meanwhile. Saving asks which version stays.',
    typedStays: 'What you have typed stays here to be read and copied.',
  },
})
