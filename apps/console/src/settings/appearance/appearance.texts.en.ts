import type { texts } from './appearance.texts.ts'

export const en: typeof texts = {
  title: 'Appearance',
  description: 'How the console looks, in every browser in which you sign in.',
  theme: 'Colors',
  light: 'Light',
  dark: 'Dark',
  system: 'System',
  systemText: 'As this device is set',
  density: 'Density',
  comfortable: 'Comfortable',
  comfortableText: 'Room to breathe',
  compact: 'Compact',
  compactText: 'More on one screen',
}
