import { textsOf } from '../locale.ts'

export const texts = textsOf('recovery-codes', {
  title: 'Recovery codes',
  hidden: 'The recovery codes are hidden',
  show: 'Show codes',
  hide: 'Hide codes',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Copying failed',
  download: 'Download',
  print: 'Print',
  fileName: 'pult-recovery-codes.txt',
  sheetTitle: (product: string) => `${product} recovery codes`,
  sheetText: 'Each code replaces your authenticator once. Keep this sheet in a safe place.',
})
