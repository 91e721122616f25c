import { createRoot } from 'react-dom/client'
import { followOtherTabs } from '#platform/other-tabs.ts'
import { App } from './App.tsx'
import { showCrash } from './boot/crash.ts'
import { registerServiceWorker } from './boot/service-worker.ts'

const root = document.getElementById('root')
if (!root) throw new Error('The document has no #root')
createRoot(root, {
  onUncaughtError: (error) => {
    reportError(error)
    showCrash(root)
  },
}).render(<App />)
followOtherTabs()
registerServiceWorker()
