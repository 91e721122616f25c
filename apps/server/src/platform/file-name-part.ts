import { withoutHidden } from '@pult/contract'

/**
 * Returns a label as part of the name of a file: its letters with their marks and joiners, its digits, and dashes instead of
 * everything else. Without marks, Hindi and Thai words would fall apart. Empty if nothing remains.
 */
export const fileNamePart = (label: string): string =>
  withoutHidden(label.replace(/[^\p{L}\p{M}\p{N}\u200c\u200d]+/gu, '-'))
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
