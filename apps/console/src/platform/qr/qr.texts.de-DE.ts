import type { texts } from './qr.texts.ts'

export const deDE: typeof texts = {
  failed: 'Der QR-Code konnte nicht gezeichnet werden. Geben Sie das Geheimnis von Hand ein',
}
