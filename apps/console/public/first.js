// What cannot wait for a module: it runs before the first paint.
try {
  const theme = localStorage.getItem('pult.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  if (localStorage.getItem('pult.token') === null) performance.mark('pult:nobody')
} catch {
  // Storage is blocked: the system's theme it is, and nobody is signed in.
}
