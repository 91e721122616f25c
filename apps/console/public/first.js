try {
  const page = document.documentElement
  const theme = localStorage.getItem('pult.theme')
  if (theme === 'light' || theme === 'dark') page.dataset.theme = theme
  if (localStorage.getItem('pult.density') === 'compact') page.dataset.density = 'compact'
  const locale = localStorage.getItem('pult.locale')
  if (locale === 'en' || locale === 'de-DE') page.lang = locale
} catch {
  // No storage, no choice.
}
