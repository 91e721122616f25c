import { textsOf } from '#platform/locale.ts'

export const texts = textsOf('windows', {
  openWindows: 'Open windows',
  minimised: (title: string) => `${title}, minimised`,
  menu: 'Window menu',
  move: 'Move',
  resize: 'Resize',
  snapLeft: 'Left half',
  snapRight: 'Right half',
  maximise: 'Maximise',
  restore: 'Restore',
  minimise: 'Minimise',
  openAsPage: 'Open as page',
  close: 'Close',
  moving: 'Arrow keys move the window, with Shift by 1 px. Enter confirms, Esc reverts.',
  resizing: 'Arrow keys resize the window, with Shift by 1 px. Enter confirms, Esc reverts.',
  closingFailed: 'Closing the window failed',
})
