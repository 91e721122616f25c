import type { texts } from './recovery-codes.texts.ts'

export const deDE: typeof texts = {
  title: 'Wiederherstellungscodes',
  hidden: 'Die Wiederherstellungscodes sind verborgen',
  show: 'Codes anzeigen',
  hide: 'Codes verbergen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  copyFailed: 'Kopieren fehlgeschlagen',
  download: 'Herunterladen',
  print: 'Drucken',
  fileName: 'pult-wiederherstellungscodes.txt',
  sheetTitle: (product: string) => `${product}: Wiederherstellungscodes`,
  sheetText:
    'Jeder Code gilt einmal, falls Sie Ihren Authenticator nicht zur Hand haben. Bewahren Sie dieses Blatt sicher auf.',
}
