import { defineApp } from '@pult/sdk'
import { ListTab } from './list/ListTab.tsx'
import { OverviewTab } from './OverviewTab.tsx'

export default defineApp({
  routes: [
    { name: 'app-my-extension-overview', path: 'overview', Component: OverviewTab },
    { name: 'app-my-extension-list', path: 'list', Component: ListTab },
  ],
})
