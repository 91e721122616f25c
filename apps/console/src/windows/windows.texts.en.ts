import type { texts } from './windows.texts.ts'

export const en: typeof texts = {
  openWindows: 'Open windows',
  minimised: (title: string) => `${title}, minimized`,
  menu: 'Window menu',
  move: 'Move',
  resize: 'Resize',
  snapLeft: 'Left half',
  snapRight: 'Right half',
  maximise: 'Maximize',
  restore: 'Restore',
  minimise: 'Minimize',
  openAsPage: 'Open as page',
  close: 'Close',
  moving: 'Arrow keys move the window, with Shift by 1 px. Enter keeps it, Esc undoes.',
  resizing: 'Arrow keys resize the window, with Shift by 1 px. Enter keeps it, Esc undoes.',
  closingFailed: 'The window cannot be closed right now',
  noAccess: 'You cannot open this app',
  noAccessText: (id: string) => `There is no app ${id} for you in this project.`,
}
