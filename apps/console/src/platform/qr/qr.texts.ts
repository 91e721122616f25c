import { textsOf } from '../locale.ts'

export const texts = textsOf('qr', {
  failed: 'The QR code could not be drawn. Enter the secret instead',
})
