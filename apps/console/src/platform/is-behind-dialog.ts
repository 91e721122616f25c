/** Returns whether a modal dialog is open. Windows and notifications also have the dialog role but are not modal. */
export const isBehindDialog = (): boolean =>
  document.querySelector(
    ':is([role="dialog"], [role="alertdialog"]):not([aria-modal="false"]), dialog:modal',
  ) !== null
