// What cannot wait for a module: it runs before the first paint, so that no page flashes in the other theme.
try {
  const theme = localStorage.getItem('pult.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked: the system's theme it is.
}
