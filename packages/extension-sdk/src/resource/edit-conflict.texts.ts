import { textsOf } from '../locale.ts'

export const texts = textsOf({
  de: {
    title: 'Changed meanwhile',
    changedBy: (name: string, at: string) => `${name} has changed this on ${at}, after you began to edit it.`,
    changedAt: (at: string) => `This has been changed on ${at}, after you began to edit it.`,
    changed: 'This has been changed after you began to edit it.',
    theirs: 'Theirs',
    mine: 'Yours',
    takeTheirs: 'Take theirs',
    keepMine: 'Keep mine',
  },
})
