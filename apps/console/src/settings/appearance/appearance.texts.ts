import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('appearance', {
  title: 'Appearance',
  description: 'How the console looks, in every browser in which you sign in.',
  theme: 'Colours',
  light: 'Light',
  dark: 'Dark',
  system: 'System',
  systemText: 'As this device is set',
  density: 'Density',
  comfortable: 'Comfortable',
  comfortableText: 'Room to breathe',
  compact: 'Compact',
  compactText: 'More on one screen',
})
