import { createRoot } from 'react-dom/client'
import { keepPresses } from '#platform/keep-presses.ts'
import { followOtherTabs } from '#platform/other-tabs.ts'
import { httpsPlace } from '#platform/public-url.ts'
import { refuseFiles } from '#platform/refuse-files.ts'
import { App } from './App.tsx'
import { languageLoaded } from './boot/catalogue.ts'
import { showCrash } from './boot/crash.ts'
import { registerServiceWorker } from './boot/service-worker.ts'
import { start } from './boot/start.ts'

const container = document.getElementById('root')
if (!container) throw new Error('The document has no #root')

if (httpsPlace === null) void start()
const root = createRoot(container, {
  onUncaughtError: (error) => {
    reportError(error)
    showCrash(container)
  },
})
// React renders in a separate task. A boot without requests may finish before it, without a boot screen.
void languageLoaded.then(async () => {
  if (httpsPlace === null) return root.render(<App />)
  const { HttpsNeeded } = await import('./boot/HttpsNeeded.tsx')
  root.render(<HttpsNeeded place={httpsPlace} />)
})
followOtherTabs()
keepPresses()
refuseFiles()
registerServiceWorker()
