/** Whether a dialog keeps everything else away. Windows and short messages call themselves dialogs, too, but do not. */
export const isBehindDialog = (): boolean =>
  document.querySelector(
    ':is([role="dialog"], [role="alertdialog"]):not([aria-modal="false"]), dialog:modal',
  ) !== null
