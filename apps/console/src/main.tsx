import { createRoot } from 'react-dom/client'
import { followOtherTabs } from '#platform/other-tabs.ts'
import { App } from './App.tsx'
import { spoken } from './boot/catalogue.ts'
import { showCrash } from './boot/crash.ts'
import { registerServiceWorker } from './boot/service-worker.ts'

const container = document.getElementById('root')
if (!container) throw new Error('The document has no #root')

const root = createRoot(container, {
  onUncaughtError: (error) => {
    reportError(error)
    showCrash(container)
  },
})
// After the timers that are due: often the boot is done by now, and its screen need not be made at all.
setTimeout(async () => {
  await spoken
  root.render(<App />)
})
followOtherTabs()
registerServiceWorker()
