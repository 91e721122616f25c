import { createRoot } from 'react-dom/client'
import { followOtherTabs } from '#platform/other-tabs.ts'
import { App } from './App.tsx'
import { spoken } from './boot/catalogue.ts'
import { showCrash } from './boot/crash.ts'
import { registerServiceWorker } from './boot/service-worker.ts'
import { start } from './boot/start.ts'

const container = document.getElementById('root')
if (!container) throw new Error('The document has no #root')

void start()
const root = createRoot(container, {
  onUncaughtError: (error) => {
    reportError(error)
    showCrash(container)
  },
})
// React renders in a task of its own: where there was nothing to ask the boot may be over by then, without a screen.
void spoken.then(() => root.render(<App />))
followOtherTabs()
registerServiceWorker()
