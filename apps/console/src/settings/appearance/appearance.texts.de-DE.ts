import type { texts } from './appearance.texts.ts'

export const deDE: typeof texts = {
  title: 'Erscheinungsbild',
  description: 'Wie die Konsole aussieht, in jedem Browser, in dem Sie sich anmelden.',
  theme: 'Farben',
  light: 'Hell',
  dark: 'Dunkel',
  system: 'System',
  systemText: 'Wie auf diesem Gerät eingestellt',
  density: 'Dichte',
  comfortable: 'Großzügig',
  comfortableText: 'Mit Luft zum Atmen',
  compact: 'Kompakt',
  compactText: 'Mehr auf einem Bildschirm',
}
