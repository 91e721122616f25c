import type { texts } from './qr.texts.ts'

export const en: typeof texts = { failed: 'The QR code could not be drawn. Please enter the secret by hand' }
