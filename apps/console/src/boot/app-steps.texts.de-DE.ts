import type { texts } from './app-steps.texts.ts'

export const deDE: typeof texts = {
  connectingSocket: 'Verbindung wird aufgebaut',
  loadingProjects: 'Projekte werden geladen',
  prepareFragments: 'Fragmente werden vorbereitet',
  registerExtensions: 'Erweiterungen werden angemeldet',
  loadingApps: 'Apps werden geladen',
  socketLater: 'Noch keine Live-Verbindung. Weitere Versuche folgen',
  lastStart: 'Letzter Start',
  lastStartUnfinished:
    'Der letzte Start wurde nicht beendet. Möglicherweise blockiert eine Erweiterung die Konsole.',
  startSafely: 'Im abgesicherten Modus starten',
  startsIn: (seconds: number, isSafe: boolean) =>
    `Startet ohne Eingabe in ${seconds}\u202Fs${isSafe ? ' im abgesicherten Modus' : ''}`,
  notLoaded: (ids: string[]) => `Nicht geladen: ${ids.join(', ')}`,
}
